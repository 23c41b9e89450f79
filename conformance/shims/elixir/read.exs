# Readers of JSON in Elixir as testees: `elixir read.exs LIBRARY VERSION`, beside a copy of `atp.ex`. They read the text
# themselves, so that input is text. What a reader has read is written here, by RFC 8785; text that is not UTF-8 as it came, since
# it was not refused.

Code.require_file("atp.ex", __DIR__)

defmodule Canonical do
  @moduledoc "What a reader has made of a text, as RFC 8785 has it. What has no such form is thrown as :no_form."

  @short %{?\b => "\\b", ?\t => "\\t", ?\n => "\\n", ?\f => "\\f", ?\r => "\\r", ?" => "\\\"", ?\\ => "\\\\"}
  @special ["\"", "\\" | for(one <- 0..0x1F, do: <<one>>)]

  def written(%{} = members) do
    # In the order of UTF-16 the characters from U+E000 to U+FFFF come last.
    order = fn {name, _} -> for <<one <- name>>, do: if(one in 0xEE..0xEF, do: one + 0x10, else: one) end
    members = Enum.sort_by(members, order)
    [?{, Enum.map_intersperse(members, ?,, fn {name, value} -> [written(name), ?:, written(value)] end), ?}]
  end

  def written(list) when is_list(list), do: [?[, Enum.map_intersperse(list, ?,, &written/1), ?]]
  def written(text) when is_binary(text), do: [?", String.replace(text, @special, &escape/1), ?"]
  def written(word) when word in [true, false, :null], do: to_string(word)
  def written(number) when is_number(number), do: number |> double() |> spelled()

  defp escape(<<one>>) when is_map_key(@short, one), do: @short[one]
  defp escape(<<one>>), do: "\\u00" <> (one |> Integer.to_string(16) |> String.downcase() |> String.pad_leading(2, "0"))

  defp double(number) do
    number / 1
  rescue
    ArithmeticError -> throw(:no_form)
  end

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

[library, version] = System.argv()

# How each is asked: a value, or the code with which it refuses.
read =
  case library do
    "jiffy" ->
      fn text ->
        try do
          {:ok, :jiffy.decode(text, [:return_maps])}
        catch
          :error, {:range, _} -> {:error, "A_VALUE"}
          :error, {place, reason} when is_integer(place) and is_atom(reason) -> {:error, "A_JSON"}
        end
      end
  end

Application.load(String.to_atom(library))
installed = to_string(Application.spec(String.to_atom(library), :vsn))
if not String.starts_with?(installed, version), do: raise("#{library} is #{installed}, not #{version}")

about = %{
  testee: %{name: library, version: installed, lang: "elixir"},
  shim: %{name: "assize-read-elixir", version: "1"},
  ops: %{"canon.bytes" => %{profile: ["rfc8785"]}},
  in_flight: 8
}

Atp.serve(about, fn asked ->
  case read.(asked.docs["doc"]) do
    {:ok, value} ->
      try do
        octets = IO.iodata_to_binary(Canonical.written(value))
        Atp.accept(%{bytes: Base.encode64(octets), sha256: Atp.sha256(octets)})
      catch
        :no_form -> Atp.reject(["A_VALUE"])
      end

    {:error, code} ->
      Atp.reject([code])
  end
end)
