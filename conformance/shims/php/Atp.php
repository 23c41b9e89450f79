<?php

// The testee's side of ATP/1, the line protocol of Assize, for testees and shims in PHP 8.1, with nothing to install: copy this
// file next to your own and write a function from a Request to an answer. Standard output belongs to the protocol: use
// error_log or STDERR, never echo.

declare(strict_types=1);

namespace Atp;

const PROTOCOL = 1;
const BAD_INPUT = 3;

// One question. `docs` holds the exact bytes to judge, by name; `root` is the case's folder, if it has one. Objects of `args`
// are stdClass.
final class Request
{
    public function __construct(
        public readonly string $op,
        public readonly \stdClass $args,
        public readonly array $docs,
        public readonly ?string $root,
        public readonly int $ms,
    ) {
    }
}

// What the harness sent is not a frame. Nothing after it can be trusted, so the session ends.
final class BadFrame extends \Exception
{
}

// The implementation accepts; `out` as it travels: doc as JSON text, bytes as base64, value as plain JSON.
function accept(array $out = []): array
{
    return ['t' => 'answer', 'is' => 'accept', 'out' => (object) $out];
}

// The implementation refuses. This is a judgement: an exception is not one.
function reject(string ...$codes): array
{
    return ['t' => 'answer', 'is' => 'reject', 'codes' => $codes];
}

// The implementation broke, and nobody knows what it would have said.
function fault(string $kind, string $message): array
{
    return ['t' => 'fault', 'kind' => $kind, 'message' => $message];
}

// SHA-256 as it travels.
function sha256(string $octets): string
{
    return hash('sha256', $octets);
}

// Serves one session over standard input and output, and ends the process. `about`: testee, shim, ops and what else hello says;
// `answer` takes one Request. Declaring binds.
function serve(array $about, callable $answer): never
{
    // A warning that PHP prints would be a line of the protocol.
    ini_set('display_errors', 'stderr');
    try {
        (new Session($about, $answer(...)))->run();
    } catch (BadFrame $error) {
        fwrite(STDERR, "atp: {$error->getMessage()}; see the protocol's page for the frames\n");
        exit(BAD_INPUT);
    }
    exit(0);
}

// One run of the protocol.
final class Session
{
    private int $limit = 8 << 20;
    private bool $greeted = false;
    private int $served = 0;
    private string $chain;

    public function __construct(private readonly array $about, private readonly \Closure $answer)
    {
        $this->chain = str_repeat('0', 64);
    }

    public function run(): void
    {
        while (($line = $this->read()) !== null) {
            if (!$this->step(parsed($line))) {
                return;
            }
        }
    }

    // The next line without its line feed; null at the end of the input.
    private function read(): ?string
    {
        // fgets reads up to one byte less than it is told, and the line feed counts.
        $line = fgets(STDIN, $this->limit + 2);
        if ($line === false) {
            return null;
        }
        if (!str_ends_with($line, "\n")) {
            throw new BadFrame('a line that is too long, or without its line feed');
        }
        return substr($line, 0, -1);
    }

    // Does what one line asks; false when it was the last one.
    private function step(\stdClass $frame): bool
    {
        $kind = owed($frame, 't', 'string');
        if ($kind === 'hello' && !$this->greeted) {
            return $this->hello($frame);
        }
        if (!$this->greeted) {
            throw new BadFrame("a frame $kind before hello");
        }
        match ($kind) {
            'case' => $this->reply(owed($frame, 'id', 'string'), $this->judged($frame)),
            'ping' => $this->write(['t' => 'pong', 'n' => $frame->n ?? null]),
            'bye' => $this->write(['t' => 'bye', 'served' => $this->served, 'chain' => $this->chain]),
            default => throw new BadFrame("a frame $kind that has no place here"),
        };
        return $kind !== 'bye';
    }

    private function hello(\stdClass $frame): bool
    {
        [$low, $high] = owed($frame, 'proto', 'array') + [null, null];
        if (!is_int($low) || !is_int($high)) {
            throw new BadFrame('proto is of a wrong type');
        }
        if (PROTOCOL < $low || PROTOCOL > $high) {
            $this->write(['t' => 'refuse', 'why' => 'proto', 'supported' => [PROTOCOL]]);
            return false;
        }
        $this->greeted = true;
        $line = $frame->limits->line ?? null;
        $this->limit = is_int($line) ? $line : $this->limit;
        $this->write(['t' => 'hello', 'proto' => PROTOCOL, 'in_flight' => 1, ...$this->about]);
        return true;
    }

    // The answer to a question; what the implementation lets escape is a fault, never a rejection.
    private function judged(\stdClass $frame): array
    {
        $docs = $seen = [];
        foreach (owed($frame, 'in', 'object') as $name => $parcel) {
            $octets = base64_decode(owed($parcel, 'b64', 'string'), true);
            if ($octets === false) {
                return fault('receipt', "in.$name: b64 does not decode");
            }
            $docs[$name] = $octets;
            $seen[$name] = sha256($octets);
            if ($seen[$name] !== owed($parcel, 'sha256', 'string')) {
                return fault('receipt', "in.$name: the bytes have SHA-256 {$seen[$name]}");
            }
        }
        [$op, $args] = [owed($frame, 'op', 'string'), owed($frame, 'args', 'object')];
        $choices = $this->about['ops'][$op] ?? null;
        if ($choices === null) {
            return ['t' => 'unsupported', 'feature' => $op];
        }
        foreach ($choices as $name => $values) {
            if (!in_array($args->{$name} ?? null, $values, true)) {
                return ['t' => 'unsupported', 'feature' => "$op/" . json_encode($args->{$name} ?? null)];
            }
        }
        try {
            $said = ($this->answer)(new Request($op, $args, $docs, $frame->root ?? null, owed($frame, 'ms', 'integer')));
            $said += $said['t'] === 'answer' ? ['seen' => (object) $seen] : [];
            encoded($said);
            return $said;
        } catch (BadFrame $error) {
            throw $error;
        } catch (\Throwable $error) {
            fwrite(STDERR, "$error\n");
            return fault('panic', get_class($error) . ": {$error->getMessage()}");
        }
    }

    // Writes an answer, and counts it once it is written.
    private function reply(string $id, array $said): void
    {
        if (strlen(encoded(['id' => $id] + $said)) > $this->limit) {
            $said = fault('limit', 'the answer is longer than limits.line');
        }
        $this->write(['id' => $id] + $said);
        if ($said['t'] === 'answer') {
            $this->served++;
            $this->chain = sha256("{$this->chain}\n$id\n{$said['is']}");
        }
    }

    // Writes one line and passes it on at once: the harness waits for it.
    private function write(array $frame): void
    {
        $line = encoded($frame) . "\n";
        while ($line !== '') {
            $written = fwrite(STDOUT, $line);
            if ($written === false) {
                exit(0);
            }
            $line = substr($line, $written);
        }
        fflush(STDOUT);
    }
}

// One frame as one line, without the line feed. What an exception quotes may be no UTF-8; a frame has to be.
function encoded(array $frame): string
{
    $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION | JSON_THROW_ON_ERROR;
    return json_encode($frame, $flags | ($frame['t'] === 'fault' ? JSON_INVALID_UTF8_SUBSTITUTE : 0));
}

function parsed(string $line): \stdClass
{
    try {
        $frame = json_decode($line, false, 512, JSON_THROW_ON_ERROR);
    } catch (\JsonException $error) {
        throw new BadFrame("no JSON: {$error->getMessage()}");
    }
    return $frame instanceof \stdClass ? $frame : throw new BadFrame('a line that is no object');
}

// A member that a frame owes.
function owed(mixed $frame, string $name, string $kind): mixed
{
    $value = $frame instanceof \stdClass ? $frame->{$name} ?? null : null;
    return gettype($value) === $kind ? $value : throw new BadFrame("$name is missing or of a wrong type");
}
