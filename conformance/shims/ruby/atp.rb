# frozen_string_literal: true

# The testee's side of ATP/1, the line protocol of Assize, for testees and shims in Ruby, with the standard library alone: copy
# this file next to your own and write a block from an Atp::Request to an answer. Standard output belongs to the protocol:
# warn, never puts.

require 'base64'
require 'digest'
require 'json'

module Atp
  PROTOCOL = 1
  BAD_INPUT = 3

  # One question. `docs` holds the exact bytes to judge, by name; `root` is the case's folder, if it has one.
  Request = Struct.new(:op, :args, :docs, :root, :ms)

  # What the harness sent is not a frame. Nothing after it can be trusted, so the session ends.
  class BadFrame < StandardError; end

  # The implementation accepts; `out` as it travels: doc as JSON text, bytes as base64, value as plain JSON.
  def self.accept(out = {}) = { t: 'answer', is: 'accept', out: out }

  # The implementation refuses. This is a judgement: an exception is not one.
  def self.reject(*codes) = { t: 'answer', is: 'reject', codes: codes }

  # The implementation broke, and nobody knows what it would have said.
  def self.fault(kind, message)
    { t: 'fault', kind: kind, message: message.encode('UTF-8', invalid: :replace, undef: :replace).scrub }
  end

  def self.base64_text(octets) = Base64.strict_encode64(octets)

  def self.sha256(octets) = Digest::SHA256.hexdigest(octets)

  # Serves one session over standard input and output, and ends the process. `about`: testee, shim, ops and what else hello
  # says; the block answers one Request. Declaring binds.
  def self.serve(about, &answer)
    Session.new(about, answer).run
    exit 0
  rescue BadFrame => error
    warn "atp: #{error.message}; see the protocol's page for the frames"
    exit BAD_INPUT
  end

  # One run of the protocol.
  class Session
    def initialize(about, answer)
      @about = about
      @answer = answer
      @limit = 8 << 20
      @greeted = false
      @served = 0
      @chain = '0' * 64
      [$stdin, $stdout].each(&:binmode)
    end

    def run
      while (line = read)
        break unless step(parsed(line))
      end
    end

    private

    # The next line without its line feed; nil at the end of the input.
    def read
      line = $stdin.gets("\n", @limit + 1)
      return if line.nil?
      raise BadFrame, 'a line that is too long, or without its line feed' unless line.end_with?("\n")

      line.chomp("\n")
    end

    def parsed(line)
      text = line.force_encoding('UTF-8')
      raise BadFrame, 'bytes that are not UTF-8' unless text.valid_encoding?

      frame = JSON.parse(text)
      raise BadFrame, 'a line that is no object' unless frame.is_a?(Hash)

      frame
    rescue JSON::ParserError => error
      raise BadFrame, "no JSON: #{error.message[0, 200]}"
    end

    # Does what one line asks; false when it was the last one.
    def step(frame)
      kind = frame['t']
      return hello(frame) if kind == 'hello' && !@greeted
      raise BadFrame, "a frame #{kind.inspect} before hello" unless @greeted

      case kind
      when 'case' then reply(owed(frame, 'id', String), judged(frame))
      when 'ping' then write({ t: 'pong', n: frame['n'] })
      when 'bye' then write({ t: 'bye', served: @served, chain: @chain })
      else raise BadFrame, "a frame #{kind.inspect} that has no place here"
      end
      kind != 'bye'
    end

    def hello(frame)
      low, high = owed(frame, 'proto', Array)
      raise BadFrame, 'proto is of a wrong type' unless low.is_a?(Integer) && high.is_a?(Integer)

      unless PROTOCOL.between?(low, high)
        write({ t: 'refuse', why: 'proto', supported: [PROTOCOL] })
        return false
      end
      @greeted = true
      limits = frame['limits']
      @limit = limits['line'] if limits.is_a?(Hash) && limits['line'].is_a?(Integer)
      write({ t: 'hello', proto: PROTOCOL, in_flight: 1, **@about })
      true
    end

    # The answer to a question; what the implementation lets escape is a fault, never a rejection.
    def judged(frame)
      docs = {}
      seen = {}
      owed(frame, 'in', Hash).each do |name, parcel|
        docs[name] = Base64.strict_decode64(owed(parcel, 'b64', String))
        seen[name] = Atp.sha256(docs[name])
        next if seen[name] == parcel['sha256']

        return Atp.fault('receipt', "in.#{name}: the bytes have SHA-256 #{seen[name]}")
      rescue ArgumentError => error
        return Atp.fault('receipt', "in.#{name}: b64 does not decode: #{error.message}")
      end
      asked = Request.new(owed(frame, 'op', String), owed(frame, 'args', Hash), docs, frame['root'], frame['ms'])
      undeclared(asked) || answered(asked, seen)
    end

    def undeclared(asked)
      choices = @about[:ops][asked.op.to_sym]
      return { t: 'unsupported', feature: asked.op } if choices.nil?

      missing = choices.find { |name, values| !values.include?(asked.args[name.to_s]) }
      missing && { t: 'unsupported', feature: "#{asked.op}/#{asked.args[missing.first.to_s]}" }
    end

    def answered(asked, seen)
      said = @answer.call(asked)
      said = said.merge(seen: seen) if said[:t] == 'answer'
      JSON.generate(said)
      said
    rescue StandardError, SystemStackError, NotImplementedError => error
      warn error.full_message(highlight: false)
      Atp.fault('panic', "#{error.class}: #{error.message}")
    end

    # Writes an answer, and counts it once it is written.
    def reply(id, said)
      said = Atp.fault('limit', 'the answer is longer than limits.line') if JSON.generate({ **said, id: id }).bytesize > @limit
      write({ **said, id: id })
      return unless said[:t] == 'answer'

      @served += 1
      @chain = Atp.sha256("#{@chain}\n#{id}\n#{said[:is]}")
    end

    # Writes one line and passes it on at once: the harness waits for it.
    def write(frame)
      $stdout.write("#{JSON.generate(frame)}\n")
      $stdout.flush
    end

    # A member that a frame owes.
    def owed(frame, name, kind)
      value = frame.is_a?(Hash) ? frame[name] : nil
      raise BadFrame, "#{name} is missing or of a wrong type" unless value.is_a?(kind)

      value
    end
  end
end
