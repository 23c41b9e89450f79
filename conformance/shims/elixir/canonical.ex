# What every reader of JSON in Elixir needs as a testee, beside `atp.ex`: the value that it has read is written by RFC 8785; text
# that is not UTF-8 as it came, since it was not refused.

defmodule Canonical do
  @moduledoc "What a reader has made of a text, as RFC 8785 has it."

  @short %{?\b => "\\b", ?\t => "\\t", ?\n => "\\n", ?\f => "\\f", ?\r => "\\r", ?" => "\\\"", ?\\ => "\\\\"}
  @largest trunc(1.7976931348623157e308)
  @special ["\"", "\\" | for(one <- 0..0x1F, do: <<one>>)]

  @doc "Serves one reader, a function from a text to a value or to the code with which it refuses, and ends the process."
  def reader(name, version, read) do
    about = %{
      testee: %{name: name, version: version, lang: "elixir"},
      shim: %{name: "assize-read-elixir", version: "1"},
      ops: %{"canon.bytes" => %{profile: ["rfc8785"]}},
      in_flight: 8
    }

    Atp.serve(about, fn asked ->
      case read.(asked.docs["doc"]) do
        {:ok, value} ->
          octets = IO.iodata_to_binary(written(value))
          Atp.accept(%{bytes: Base.encode64(octets), sha256: Atp.sha256(octets)})

        {:error, code} ->
          Atp.reject([code])
      end
    end)
  end

  defp written(%{} = members) do
    # In the order of UTF-16 the characters from U+E000 to U+FFFF come last.
    order = fn {name, _} -> for <<one <- name>>, do: if(one in 0xEE..0xEF, do: one + 0x10, else: one) end
    members = Enum.sort_by(members, order)
    [?{, Enum.map_intersperse(members, ?,, fn {name, value} -> [written(name), ?:, written(value)] end), ?}]
  end

  defp written(list) when is_list(list), do: [?[, Enum.map_intersperse(list, ?,, &written/1), ?]]
  defp written(text) when is_binary(text), do: [?", String.replace(text, @special, &escape/1), ?"]
  defp written(nil), do: "null"
  defp written(word) when word in [true, false, :null], do: to_string(word)
  # Beyond the doubles no text of JSON has it. It goes out as it came, since it was not refused.
  defp written(number) when is_integer(number) and (number > @largest or number < -@largest), do: to_string(number)
  defp written(number) when is_number(number), do: spelled(number / 1)

  defp escape(<<one>>) when is_map_key(@short, one), do: @short[one]
  defp escape(<<one>>), do: "\\u00" <> (one |> Integer.to_string(16) |> String.downcase() |> String.pad_leading(2, "0"))

  # ECMAScript's spelling. Elixir's own has the same digits: the fewest that tell the double.
  defp spelled(double) when double == 0, do: "0"
  defp spelled(double) when double < 0, do: ["-", spelled(-double)]

  defp spelled(double) do
    [mantissa | exponent] = double |> Float.to_string() |> String.split("e")
    [whole, fraction] = String.split(mantissa, ".")
    digits = String.trim_leading(whole <> fraction, "0")
    # Where the point stands, counted from the first digit that is not zero.
    point = byte_size(digits) - byte_size(fraction) + String.to_integer(Enum.at(exponent, 0, "0"))
    digits = String.trim_trailing(digits, "0")
    count = byte_size(digits)

    cond do
      count <= point and point <= 21 -> String.pad_trailing(digits, point, "0")
      0 < point and point <= 21 -> [String.slice(digits, 0, point), ".", String.slice(digits, point, count)]
      -6 < point and point <= 0 -> ["0.", String.duplicate("0", -point), digits]
      true -> [String.first(digits), if(count > 1, do: ".", else: ""), String.slice(digits, 1, count), "e", signed(point - 1)]
    end
  end

  defp signed(number), do: [if(number < 0, do: "-", else: "+"), to_string(abs(number))]
end
