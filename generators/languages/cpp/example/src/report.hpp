// Replay reports: the order of their mismatches, and their identity.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kernel {

// The mismatches of a JSON array in report order, as canonical text. Without
// a stage order the registered one counts.
std::string order_mismatches(std::string_view mismatches,
                             const std::optional<std::string> &stage_order);

// The digest of a report in which report_id and every diagnostic are null.
std::string report_id(std::string_view report);

} // namespace kernel
