// An evidence ledger as a chain of records.
#pragma once

#include <string_view>

namespace kernel {

// Returns if the records, a JSON array, make a chain. Refuses with the law of
// the first failure.
void check_chain(std::string_view records);

} // namespace kernel
