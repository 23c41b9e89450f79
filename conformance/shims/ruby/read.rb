# frozen_string_literal: true

# Readers of JSON in Ruby as testees: `ruby read.rb LIBRARY VERSION`, beside a copy of `atp.rb`. They read the text themselves,
# so that input is text. What a reader has read is written here, by RFC 8785; text that is not UTF-8 as it came, since it was not
# refused.

require_relative 'atp'

# A value of Ruby as RFC 8785 has it.
def canonical(value)
  case value
  when Hash
    names = value.keys.sort_by { |name| name.encode('UTF-16BE', invalid: :replace).b }
    "{#{names.map { |name| "#{quoted(name)}:#{canonical(value[name])}" }.join(',')}}".b
  when Array then "[#{value.map { |element| canonical(element) }.join(',')}]"
  when String then quoted(value)
  when Numeric then number(value.to_f)
  when nil then 'null'
  when true, false then value.to_s
  else raise TypeError, "no value of JSON: #{value.class}"
  end
end

SHORT = { '"' => '\\"', '\\' => '\\\\', "\b" => '\\b', "\f" => '\\f', "\n" => '\\n', "\r" => '\\r', "\t" => '\\t' }.freeze

def quoted(text)
  "\"#{text.b.gsub(/["\\\x00-\x1f]/n) { |one| SHORT[one] || format('\\u%04x', one.ord) }}\"".b
end

# ECMAScript's spelling. Ruby's own has the same digits: the fewest that tell the double.
def number(value)
  # No text of JSON has it. It goes out as it came, since it was not refused.
  return value.to_s unless value.finite?
  return '0' if value.zero?

  mantissa, exponent = format('%s', value.abs).split('e')
  whole, fraction = mantissa.split('.')
  digits = "#{whole}#{fraction}"
  point = whole.length + exponent.to_i
  point -= digits[/\A0*/].length
  digits = digits.sub(/\A0+/, '').sub(/0+\z/, '')
  (value.negative? ? '-' : '') + spelled(digits, point)
end

def spelled(digits, point)
  return digits.ljust(point, '0') if digits.length <= point && point <= 21
  return "#{digits[0, point]}.#{digits[point..]}" if point.positive? && point <= 21
  return "0.#{'0' * -point}#{digits}" if point > -6 && point <= 0

  fraction = digits.length > 1 ? ".#{digits[1..]}" : ''
  "#{digits[0]}#{fraction}e#{point > 0 ? '+' : '-'}#{(point - 1).abs}"
end

# How each is asked, the exceptions that it refuses with, and its limit on depth.
library, version = ARGV
case library
when 'json'
  installed = JSON::VERSION
  read = ->(octets) { JSON.parse(octets.force_encoding('UTF-8')) }
  refusals = [JSON::ParserError]
  capabilities = { max_depth: 100 }
when 'oj'
  require 'oj'
  installed = Oj::VERSION
  read = ->(octets) { Oj.load(octets.force_encoding('UTF-8'), mode: :strict, empty_string: false) }
  refusals = [Oj::ParseError, EncodingError]
  capabilities = {}
else
  abort "no library #{library.inspect}"
end
# A distribution's version goes on behind the library's.
same = "#{installed}.".start_with?("#{version}.") || version.start_with?("#{installed}-")
abort "#{library} is #{installed}, not #{version}" unless same

about = {
  testee: { name: library, version: installed, lang: 'ruby' },
  shim: { name: 'assize-read-ruby', version: '1' },
  ops: { 'canon.bytes': { profile: ['rfc8785'] } },
  capabilities: capabilities,
  in_flight: 8,
}
Atp.serve(about) do |asked|
  begin
    value = read.call(asked.docs['doc'].dup)
  rescue JSON::NestingError
    next Atp.reject('A_LIMIT')
  rescue *refusals
    next Atp.reject('A_JSON')
  end
  octets = canonical(value)
  Atp.accept({ bytes: Atp.base64_text(octets), sha256: Atp.sha256(octets) })
end
