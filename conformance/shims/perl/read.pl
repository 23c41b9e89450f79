# Readers of JSON in Perl as testees: `perl read.pl LIBRARY VERSION`, beside a copy of `Atp.pm`. They read the bytes themselves, so
# that input is text. What a reader has read is written here, by RFC 8785; half a pair as it came, since it was not refused.

use strict;
use warnings;
no warnings 'recursion';
use FindBin ();
use lib $FindBin::Bin;
use B ();
use POSIX ();
use Scalar::Util qw(blessed);

use Atp qw(accept base64_text reject serve sha256);

# How each is asked: as it is by default, but that a text of more digits than a number of Perl has stays a number where there is an
# option for it, and that a scalar may stand alone, which versions before 4 take as an option.
my %options = ('JSON::PP' => ['allow_bignum'], 'Cpanel::JSON::XS' => ['allow_bignum'], 'JSON::XS' => []);

my ($library, $version) = @ARGV;
die "no library $library\n" if !$options{$library};
eval "require $library; 1" or die $@;
my $installed = $library->VERSION;
# A distribution's version goes on behind the library's, and its package is what was asked for.
die "$library is $installed, not $version\n" if $library eq 'JSON::PP' && "$installed." !~ /^\Q$version\E\./;
my $reader = $library->new->utf8->allow_nonref;
$reader->$_ for @{ $options{$library} };

# A value of Perl as RFC 8785 has it.
sub canonical {
    my ($value) = @_;
    return 'null' if !defined $value;
    return '[' . join(',', map { canonical($_) } @$value) . ']' if ref $value eq 'ARRAY';
    if (ref $value eq 'HASH') {
        my %units = map { ($_ => units($_)) } keys %$value;
        my @names = sort { $units{$a} cmp $units{$b} } keys %$value;
        return '{' . join(',', map { quoted($_) . ':' . canonical($value->{$_}) } @names) . '}';
    }
    return number($value->numify) if blessed $value && $value->isa('Math::BigInt') || blessed $value && $value->isa('Math::BigFloat');
    return $value ? 'true' : 'false' if blessed $value;
    my $flags = B::svref_2object(\$value)->FLAGS;
    return quoted($value) if $flags & B::SVf_POK || !($flags & (B::SVf_IOK | B::SVf_NOK));
    return number($value);
}

# The units of UTF-16, which give the order of names.
sub units {
    my ($text) = @_;
    return join '', map { $_ > 0xffff ? pack 'n2', 0xd7c0 + ($_ >> 10), 0xdc00 | $_ & 0x3ff : pack 'n', $_ } unpack 'W*', $text;
}

my %short = ('"' => '\\"', '\\' => '\\\\', "\b" => '\\b', "\f" => '\\f', "\n" => '\\n', "\r" => '\\r', "\t" => '\\t');

sub quoted {
    my ($text) = @_;
    $text =~ s/(["\\\x00-\x1f])/$short{$1} || sprintf '\\u%04x', ord $1/ge;
    return "\"$text\"";
}

# ECMAScript's spelling, from the fewest digits that tell the double.
sub number {
    my ($value) = @_;
    return '0' if $value == 0;
    # No text of JSON has it. It goes out as it came, since it was not refused.
    return lc "$value" if $value != $value || abs $value == 9**9**9;
    my $spelled;
    for my $size (0 .. 16) {
        $spelled = sprintf "%.${size}e", abs $value;
        last if (POSIX::strtod($spelled))[0] == abs $value;
    }
    my ($mantissa, $exponent) = split /e/, $spelled;
    (my $digits = $mantissa) =~ tr/.//d;
    my ($count, $point) = (length $digits, $exponent + 1);
    my $text =
          $count <= $point && $point <= 21 ? $digits . '0' x ($point - $count)
        : 0 < $point && $point <= 21       ? substr($digits, 0, $point) . '.' . substr($digits, $point)
        : -6 < $point && $point <= 0       ? '0.' . '0' x -$point . $digits
        :                                    sprintf '%se%+d', $mantissa, $point - 1;
    return $value < 0 ? "-$text" : $text;
}

my $about = {
    testee       => { name => $library, version => "$installed", lang => 'perl' },
    shim         => { name => 'assize-read-perl', version => '1' },
    ops          => { 'canon.bytes' => { profile => ['rfc8785'] } },
    # What each of them has by default.
    capabilities => { max_depth => $reader->get_max_depth },
    in_flight    => 8,
};
serve($about, sub {
    my ($asked) = @_;
    my $value;
    my $read = eval { $value = $reader->decode($asked->{docs}{doc}); 1 };
    if (!$read) {
        return reject('A_LIMIT') if $@ =~ /maximum nesting level/;
        return reject('A_VALUE') if $@ =~ /surrogate/;
        # They say where a text is at fault; anything else that they die of is a slip.
        return reject('A_JSON') if $@ =~ /at character offset \d+|malformed|garbage/;
        die $@;
    }
    my $text = canonical($value);
    utf8::encode($text);
    return accept(bytes => base64_text($text), sha256 => sha256($text));
});
