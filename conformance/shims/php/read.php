<?php

// PHP's own reader of JSON as a testee: `php read.php json_decode VERSION`, beside a copy of `Atp.php`. It reads the text itself,
// so that input is text. What it has read is written here, by RFC 8785.

declare(strict_types=1);

require __DIR__ . '/Atp.php';

// What json_decode has made of a text, as RFC 8785 has it.
function canonical(mixed $value): string
{
    if ($value instanceof stdClass) {
        $members = [];
        foreach ($value as $name => $member) {
            // In the order of UTF-16 the characters from U+E000 to U+FFFF come last. The letter keeps PHP from taking a key
            // for a number.
            $members['n' . strtr((string) $name, "\xee\xef", "\xfe\xff")] = quoted((string) $name) . ':' . canonical($member);
        }
        ksort($members, SORT_STRING);
        return '{' . implode(',', $members) . '}';
    }
    return match (true) {
        is_array($value) => '[' . implode(',', array_map(canonical(...), $value)) . ']',
        is_string($value) => quoted($value),
        is_int($value), is_float($value) => number((float) $value),
        default => json_encode($value),
    };
}

function quoted(string $text): string
{
    $short = ["\x08" => '\b', "\t" => '\t', "\n" => '\n', "\f" => '\f', "\r" => '\r', '"' => '\"', '\\' => '\\\\'];
    $spelled = fn (array $found): string => $short[$found[0]] ?? sprintf('\u%04x', ord($found[0]));
    return '"' . preg_replace_callback('/["\\\\\x00-\x1f]/', $spelled, $text) . '"';
}

// ECMAScript's spelling. PHP's own has the same digits: the fewest that tell the double.
function number(float $value): string
{
    if (!is_finite($value)) {
        // No text of JSON has it. It goes out as it came, since it was not refused.
        return (string) $value;
    }
    if ($value === 0.0) {
        return '0';
    }
    [$mantissa, $exponent] = explode('e', json_encode(abs($value))) + [1 => '0'];
    [$whole, $fraction] = explode('.', $mantissa) + [1 => ''];
    $digits = ltrim("$whole$fraction", '0');
    // Where the point stands, counted from the first digit that is not zero.
    $point = strlen($whole) + (int) $exponent - (strlen("$whole$fraction") - strlen($digits));
    $digits = rtrim($digits, '0');
    $count = strlen($digits);
    return ($value < 0 ? '-' : '') . match (true) {
        $count <= $point && $point <= 21 => str_pad($digits, $point, '0'),
        0 < $point && $point <= 21 => substr($digits, 0, $point) . '.' . substr($digits, $point),
        -6 < $point && $point <= 0 => '0.' . str_repeat('0', -$point) . $digits,
        default => $digits[0] . ($count > 1 ? '.' . substr($digits, 1) : '') . sprintf('e%+d', $point - 1),
    };
}

[, $library, $version] = $argv + [1 => '', ''];
if ($library !== 'json_decode' || !str_starts_with(PHP_VERSION . '.', "$version.")) {
    fwrite(STDERR, "no $library $version: this is PHP " . PHP_VERSION . "\n");
    exit(1);
}
ini_set('serialize_precision', '-1');
$about = [
    'testee' => ['name' => $library, 'version' => PHP_VERSION, 'lang' => 'php'],
    'shim' => ['name' => 'assize-read-php', 'version' => '1'],
    'ops' => ['canon.bytes' => ['profile' => ['rfc8785']]],
    // Its default of 512 refuses what has that depth.
    'capabilities' => ['max_depth' => 511],
    'in_flight' => 8,
];
Atp\serve($about, function (Atp\Request $asked): array {
    try {
        $value = json_decode($asked->docs['doc'], flags: JSON_THROW_ON_ERROR);
    } catch (JsonException $error) {
        return Atp\reject(match ($error->getCode()) {
            JSON_ERROR_DEPTH => 'A_LIMIT',
            // Half a pair, and a name that a property of PHP cannot have.
            JSON_ERROR_UTF16, JSON_ERROR_INVALID_PROPERTY_NAME => 'A_VALUE',
            default => 'A_JSON',
        });
    }
    $octets = canonical($value);
    return Atp\accept(['bytes' => base64_encode($octets), 'sha256' => Atp\sha256($octets)]);
});
