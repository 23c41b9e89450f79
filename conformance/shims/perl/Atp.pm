# The testee's side of ATP/1, the line protocol of Assize, for testees and shims in Perl 5.30, with core modules alone: copy this
# file next to your own and write a function from a request to an answer. A request is a hash: op, args, docs (the exact bytes to
# judge, by name), root (the case's folder, or undef), ms. Standard output belongs to the protocol: warn, never print.

package Atp;

use strict;
use warnings;
use Digest::SHA qw(sha256_hex);
use Encode ();
use Exporter qw(import);
use JSON::PP ();
use MIME::Base64 qw(decode_base64 encode_base64);

our @EXPORT_OK = qw(accept base64_text fault reject serve sha256);

use constant { PROTOCOL => 1, BAD_INPUT => 3 };

# Writes frames. They are read below: that reader takes one character after the other, and a line may have millions.
my $writer = JSON::PP->new->utf8->canonical;

# The implementation accepts; the outputs as they travel: doc as JSON text, bytes as base64, value as plain JSON.
sub accept { return { t => 'answer', is => 'accept', out => {@_} } }

# The implementation refuses. This is a judgement: dying is not one.
sub reject { return { t => 'answer', is => 'reject', codes => [@_] } }

# The implementation broke, and nobody knows what it would have said. Half a pair has no form in UTF-8.
sub fault { return { t => 'fault', kind => $_[0], message => $_[1] =~ s/[\x{d800}-\x{dfff}]/?/gr } }

# Bytes and SHA-256 as they travel.
sub base64_text { return encode_base64($_[0], '') }
sub sha256 { return sha256_hex($_[0]) }

# Serves one session over standard input and output, and ends the process. `about`: testee, shim, ops and what else hello says;
# `answer` takes one request. Declaring binds.
sub serve {
    my ($about, $answer) = @_;
    binmode STDIN;
    binmode STDOUT;
    my $session = { about => $about, answer => $answer, limit => 8 << 20, greeted => 0, served => 0, chain => '0' x 64 };
    my $done = eval {
        while (defined(my $line = line($session))) { last if !step($session, frame($line)) }
        1;
    };
    exit 0 if $done;
    print STDERR "atp: $@; see the protocol's page for the frames\n";
    exit BAD_INPUT;
}

# What the harness sent is not a frame. Nothing after it can be trusted, so the session ends.
sub bad { die join(' ', @_) . "\n" }

# The next line without its line feed; nothing at the end of the input.
sub line {
    my ($session) = @_;
    my $line = <STDIN>;
    return if !defined $line;
    bad('a line that is too long, or without its line feed') if $line !~ s/\n\z// || length $line > $session->{limit};
    return $line;
}

# Does what one line asks; false when it was the last one.
sub step {
    my ($session, $frame) = @_;
    my $kind = text($frame, 't');
    return hello($session, $frame) if $kind eq 'hello' && !$session->{greeted};
    bad("a frame $kind before hello") if !$session->{greeted};
    if    ($kind eq 'case') { reply($session, text($frame, 'id'), judged($session, $frame)) }
    elsif ($kind eq 'ping') { put({ t => 'pong', n => $frame->{n} }) }
    elsif ($kind eq 'bye')  { put({ t => 'bye', served => $session->{served}, chain => $session->{chain} }) }
    else                    { bad("a frame $kind that has no place here") }
    return $kind ne 'bye';
}

sub hello {
    my ($session, $frame) = @_;
    my ($low, $high) = @{ owed($frame, 'proto', 'ARRAY') };
    bad('proto is of a wrong type') if grep { ($_ // '') !~ /^\d+\z/ } $low, $high;
    if (PROTOCOL < $low || PROTOCOL > $high) {
        put({ t => 'refuse', why => 'proto', supported => [PROTOCOL] });
        return 0;
    }
    $session->{greeted} = 1;
    my $limits = $frame->{limits};
    $session->{limit} = $limits->{line} if ref $limits eq 'HASH' && $limits->{line};
    put({ t => 'hello', proto => PROTOCOL, in_flight => 1, %{ $session->{about} } });
    return 1;
}

# The answer to a question; what the implementation lets escape is a fault, never a rejection.
sub judged {
    my ($session, $frame) = @_;
    my ($op, $args, $parcels) = (text($frame, 'op'), owed($frame, 'args', 'HASH'), owed($frame, 'in', 'HASH'));
    my (%docs, %seen);
    for my $name (sort keys %$parcels) {
        my $b64 = text($parcels->{$name}, 'b64');
        $docs{$name} = decode_base64($b64);
        $seen{$name} = sha256($docs{$name});
        my $sent = $seen{$name} eq text($parcels->{$name}, 'sha256') && base64_text($docs{$name}) eq $b64;
        return fault('receipt', "in.$name: the bytes have SHA-256 $seen{$name}") if !$sent;
    }
    my $choices = $session->{about}{ops}{$op} or return { t => 'unsupported', feature => $op };
    for my $name (sort keys %$choices) {
        my $value = $args->{$name} // 'null';
        return { t => 'unsupported', feature => "$op/$value" } if !grep { $_ eq $value } @{ $choices->{$name} };
    }
    my $said = eval {
        my $answer = $session->{answer}
            ->({ op => $op, args => $args, docs => \%docs, root => $frame->{root}, ms => $frame->{ms} });
        $answer->{seen} = \%seen if $answer->{t} eq 'answer';
        $writer->encode($answer);
        $answer;
    };
    return $said if $said;
    warn $@;
    return fault('panic', $@);
}

# Writes an answer, and counts it once it is written.
sub reply {
    my ($session, $id, $said) = @_;
    my $size = length $writer->encode({ %$said, id => $id });
    $said = fault('limit', 'the answer is longer than limits.line') if $size > $session->{limit};
    put({ %$said, id => $id });
    return if $said->{t} ne 'answer';
    $session->{served}++;
    $session->{chain} = sha256(Encode::encode('UTF-8', "$session->{chain}\n$id\n$said->{is}"));
}

# Writes one line and passes it on at once: the harness waits for it.
sub put {
    my ($frame) = @_;
    local $| = 1;
    print $writer->encode($frame), "\n";
}

# A member that a frame owes.
sub owed {
    my ($frame, $name, $kind) = @_;
    my $value = ref $frame eq 'HASH' ? $frame->{$name} : undef;
    return $value if defined $value && ref $value eq $kind;
    bad("$name is missing or of a wrong type");
}

sub text { return owed($_[0], $_[1], '') }

# One line as JSON for frames alone. Numbers stay numbers, so that they go back as they came.
sub frame {
    my ($line) = @_;
    my $text = eval { Encode::decode('UTF-8', $line, Encode::FB_CROAK) } // bad('bytes that are not UTF-8');
    my $found = value(\$text, 0);
    bad('text behind a frame') if $text !~ /\G\s*\z/gc;
    return $found;
}

sub value {
    my ($text, $depth) = @_;
    bad('a line that is too deep') if $depth > 127;
    if ($$text =~ /\G\s*\{\s*/gc) {
        my %found;
        until ($$text =~ /\G\s*\}/gc) {
            bad('no comma') if %found && $$text !~ /\G\s*,\s*/gc;
            bad('no name') if $$text !~ /\G"/gc;
            my $name = quoted($text);
            bad('no colon') if $$text !~ /\G\s*:/gc;
            $found{$name} = value($text, $depth + 1);
        }
        return \%found;
    }
    if ($$text =~ /\G\s*\[/gc) {
        my @found;
        until ($$text =~ /\G\s*\]/gc) {
            bad('no comma') if @found && $$text !~ /\G\s*,/gc;
            push @found, value($text, $depth + 1);
        }
        return \@found;
    }
    return quoted($text) if $$text =~ /\G\s*"/gc;
    return 0 + $1 if $$text =~ /\G\s*(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)/gc;
    return { true => JSON::PP::true, false => JSON::PP::false, null => undef }->{$1} if $$text =~ /\G\s*(true|false|null)/gc;
    bad('no JSON value');
}

my %short = (b => "\b", f => "\f", n => "\n", r => "\r", t => "\t");

sub quoted {
    my ($text) = @_;
    my $found = '';
    until ($$text =~ /\G"/gc) {
        if    ($$text =~ /\G([^"\\]+)/gc)         { $found .= $1 }
        elsif ($$text =~ /\G\\([bfnrt])/gc)       { $found .= $short{$1} }
        elsif ($$text =~ /\G\\(["\\\/])/gc)       { $found .= $1 }
        elsif ($$text =~ /\G\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/gc) {
            $found .= chr(0x10000 + ((hex($1) - 0xd800) << 10) + hex($2) - 0xdc00);
        }
        elsif ($$text =~ /\G\\u([0-9a-fA-F]{4})/gc) { $found .= chr hex $1 }
        else                                        { bad('a broken string') }
    }
    return $found;
}

1;
