# The testee's side of ATP/1, the line protocol of Assize, for testees and shims in Elixir, with what comes with Elixir alone: copy
# this file next to your own and write a function from a request to an answer. Standard output belongs to the protocol:
# IO.puts(:stderr, ...), or not at all.

defmodule Atp do
  @moduledoc """
  A request is a map: `op`, `args`, `docs` (the exact bytes to judge, by name), `root` (the case's folder, or nil), `ms`.
  JSON stands as maps with strings for names, lists, strings, numbers, booleans and nil.
  """

  @protocol 1
  @bad_input 3

  defmodule BadFrame do
    @moduledoc "What the harness sent is not a frame. Nothing after it can be trusted, so the session ends."
    defexception [:message]
  end

  @doc "The implementation accepts; `out` as it travels: doc as JSON text, bytes as base64, value as plain JSON."
  def accept(out \\ %{}), do: %{t: "answer", is: "accept", out: out}

  @doc "The implementation refuses. This is a judgement: an exception is not one."
  def reject(codes), do: %{t: "answer", is: "reject", codes: codes}

  @doc "The implementation broke, and nobody knows what it would have said."
  def fault(kind, message), do: %{t: "fault", kind: kind, message: for(<<one::utf8 <- message>>, into: "", do: <<one::utf8>>)}

  @doc "SHA-256 as it travels."
  def sha256(octets), do: :crypto.hash(:sha256, octets) |> Base.encode16(case: :lower)

  @doc """
  Serves one session over standard input and output, and ends the process. `about`: testee, shim, ops and what else hello says;
  `answer` takes one request. Declaring binds.
  """
  def serve(about, answer) do
    # Bytes go through as they are.
    :io.setopts(:standard_io, encoding: :latin1, binary: true)
    about = about |> written() |> IO.iodata_to_binary() |> read()
    state = %{about: about, answer: answer, limit: 8_388_608, greeted: false, served: 0, chain: String.duplicate("0", 64)}

    try do
      lines(state)
      System.halt(0)
    rescue
      error in BadFrame ->
        IO.puts(:stderr, "atp: #{error.message}; see the protocol's page for the frames")
        System.halt(@bad_input)
    end
  end

  defp lines(state) do
    case IO.binread(:stdio, :line) do
      :eof -> :ok
      line when is_binary(line) -> line |> framed(state.limit) |> step(state) |> next()
      {:error, reason} -> raise BadFrame, message: "no line: #{inspect(reason)}"
    end
  end

  defp next(:done), do: :ok
  defp next(state), do: lines(state)

  defp framed(line, limit) do
    size = byte_size(line) - 1

    case line do
      <<text::binary-size(size), ?\n>> when size <= limit -> read(text)
      _ -> raise BadFrame, message: "a line that is too long, or without its line feed"
    end
  end

  # Does what one line asks; the state after it, or :done.
  defp step(%{"t" => "hello", "proto" => [low, high]} = frame, %{greeted: false} = state) do
    if @protocol in low..high//1 do
      write(Map.merge(%{"t" => "hello", "proto" => @protocol, "in_flight" => 1}, state.about))
      %{state | greeted: true, limit: get_in(frame, ["limits", "line"]) || state.limit}
    else
      write(%{t: "refuse", why: "proto", supported: [@protocol]})
      :done
    end
  end

  defp step(%{"t" => "case", "id" => id} = frame, %{greeted: true} = state) when is_binary(id), do: reply(id, judged(frame, state), state)

  defp step(%{"t" => "ping", "n" => n}, %{greeted: true} = state) do
    write(%{t: "pong", n: n})
    state
  end

  defp step(%{"t" => "bye"}, %{greeted: true} = state) do
    write(%{t: "bye", served: state.served, chain: state.chain})
    :done
  end

  defp step(frame, _), do: raise(BadFrame, message: "a frame that has no place here: #{inspect(frame, limit: 5, printable_limit: 80)}")

  # The answer to a question; what the implementation lets escape is a fault, never a rejection.
  defp judged(%{"op" => op, "args" => %{} = args, "in" => %{} = parcels, "ms" => ms} = frame, state) do
    docs = Map.new(parcels, fn {name, parcel} -> {name, unpacked(parcel)} end)
    seen = Map.new(docs, fn {name, octets} -> {name, octets != :error && sha256(octets)} end)
    choices = state.about["ops"][op]
    missing = Enum.find(choices || %{}, fn {name, values} -> args[name] not in values end)

    cond do
      name = Enum.find(Map.keys(docs), &(seen[&1] != parcels[&1]["sha256"])) ->
        fault("receipt", "in.#{name}: the bytes have SHA-256 #{seen[name]}")

      choices == nil ->
        %{t: "unsupported", feature: op}

      missing ->
        %{t: "unsupported", feature: "#{op}/#{inspect(args[elem(missing, 0)])}"}

      true ->
        answered(%{op: op, args: args, docs: docs, root: frame["root"], ms: ms}, seen, state)
    end
  end

  defp judged(_, _), do: raise(BadFrame, message: "a case without what it owes")

  defp unpacked(%{"b64" => text, "sha256" => _}) when is_binary(text) do
    case Base.decode64(text) do
      {:ok, octets} -> octets
      :error -> :error
    end
  end

  defp unpacked(_), do: raise(BadFrame, message: "a document without b64 or sha256")

  defp answered(request, seen, state) do
    said = state.answer.(request)
    if said.t == "answer", do: Map.put(said, :seen, seen), else: said
  catch
    kind, reason -> escaped(kind, reason, __STACKTRACE__)
  end

  defp escaped(kind, reason, trace) do
    text = Exception.format(kind, reason, trace)
    IO.puts(:stderr, text)
    fault("panic", text)
  end

  # Writes an answer, and counts it once it is written.
  defp reply(id, said, state) do
    {said, line} = lined(id, said)
    too_long = byte_size(line) > state.limit
    {said, line} = if too_long, do: lined(id, fault("limit", "the answer is longer than limits.line")), else: {said, line}
    IO.binwrite(:stdio, [line, ?\n])

    if said.t == "answer" do
      %{state | served: state.served + 1, chain: sha256("#{state.chain}\n#{id}\n#{said.is}")}
    else
      state
    end
  end

  # An answer of the wrong shape is blamed on the implementation too.
  defp lined(id, said) do
    {said, IO.iodata_to_binary(written(Map.put(said, :id, id)))}
  catch
    kind, reason -> lined(id, escaped(kind, reason, __STACKTRACE__))
  end

  # Writes one line and passes it on at once: the harness waits for it.
  defp write(frame), do: IO.binwrite(:stdio, [written(frame), ?\n])

  @special ["\"", "\\" | for(one <- 0..0x1F, do: <<one>>)]

  defp written(%{} = map) do
    members = Enum.map_intersperse(map, ?,, fn {name, value} -> [written(to_string(name)), ?:, written(value)] end)
    [?{, members, ?}]
  end

  defp written(list) when is_list(list), do: [?[, Enum.map_intersperse(list, ?,, &written/1), ?]]
  defp written(nil), do: "null"
  defp written(word) when is_atom(word) or is_number(word), do: to_string(word)

  defp written(text) when is_binary(text) do
    if not String.valid?(text), do: raise(ArgumentError, "an answer that is not UTF-8")
    [?", String.replace(text, @special, &escape/1), ?"]
  end

  defp escape(<<one>>) when one < 0x20, do: "\\u" <> String.pad_leading(Integer.to_string(one, 16), 4, "0")
  defp escape(one), do: "\\" <> one

  # JSON for frames alone.
  @short %{?b => ?\b, ?f => ?\f, ?n => ?\n, ?r => ?\r, ?t => ?\t, ?" => ?", ?\\ => ?\\, ?/ => ?/}

  @doc false
  def read(line) do
    if not String.valid?(line), do: raise(BadFrame, message: "bytes that are not UTF-8")

    case value(skip(line)) do
      {found, ""} -> found
      _ -> broken(line)
    end
  end

  defp skip(<<space, rest::binary>>) when space in [?\s, ?\t, ?\r, ?\n], do: skip(rest)
  defp skip(rest), do: rest

  # A value, and what comes after it and the white space behind it.
  defp value("{" <> rest), do: rest |> skip() |> members(%{})
  defp value("[" <> rest), do: rest |> skip() |> elements([])
  defp value("\"" <> rest), do: quoted(rest, [])
  defp value("true" <> rest), do: {true, skip(rest)}
  defp value("false" <> rest), do: {false, skip(rest)}
  defp value("null" <> rest), do: {nil, skip(rest)}

  defp value(text) do
    with [token] <- Regex.run(~r/^-?\d+(\.\d+)?([eE][-+]?\d+)?/, text, capture: :first),
         {number, ""} <- if(token =~ ~r/[.eE]/, do: Float.parse(token), else: Integer.parse(token)) do
      {number, skip(binary_part(text, byte_size(token), byte_size(text) - byte_size(token)))}
    else
      _ -> broken(text)
    end
  end

  defp members("}" <> rest, found) when found == %{}, do: {found, skip(rest)}

  defp members("\"" <> rest, found) do
    with {name, ":" <> rest} <- quoted(rest, []),
         {value, rest} <- value(skip(rest)) do
      found = Map.put(found, name, value)

      case rest do
        "," <> rest -> rest |> skip() |> members(found)
        "}" <> rest -> {found, skip(rest)}
        _ -> broken(rest)
      end
    else
      _ -> broken(rest)
    end
  end

  defp members(rest, _), do: broken(rest)

  defp elements("]" <> rest, []), do: {[], skip(rest)}

  defp elements(text, found) do
    case value(text) do
      {one, "," <> rest} -> rest |> skip() |> elements([one | found])
      {one, "]" <> rest} -> {Enum.reverse([one | found]), skip(rest)}
      _ -> broken(text)
    end
  end

  defp quoted(text, found) do
    with {at, 1} <- :binary.match(text, ["\"", "\\"]),
         <<plain::binary-size(at), rest::binary>> <- text do
      case rest do
        "\"" <> rest -> {IO.iodata_to_binary([found, plain]), skip(rest)}
        "\\u" <> _ -> rest |> character() |> then(fn {one, rest} -> quoted(rest, [found, plain, one]) end)
        <<"\\", one, rest::binary>> when is_map_key(@short, one) -> quoted(rest, [found, plain, @short[one]])
        _ -> broken(rest)
      end
    else
      _ -> broken(text)
    end
  end

  defp character(text) do
    {first, rest} = unit(text)
    {code, rest} = if first in 0xD800..0xDBFF, do: rest |> unit() |> paired(first), else: {first, rest}
    if code in 0xD800..0xDFFF or code > 0x10FFFF, do: broken(text), else: {<<code::utf8>>, rest}
  end

  defp paired({second, rest}, first), do: {0x10000 + (first - 0xD800) * 0x400 + second - 0xDC00, rest}

  defp unit(<<"\\u", digits::binary-size(4), rest::binary>> = text) do
    if digits =~ ~r/^[0-9a-fA-F]{4}$/, do: {String.to_integer(digits, 16), rest}, else: broken(text)
  end

  defp unit(text), do: broken(text)

  defp broken(text), do: raise(BadFrame, message: "no JSON at #{inspect(text, printable_limit: 40)}")
end
