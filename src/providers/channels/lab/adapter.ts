import { phonesAdapter } from '../phones.ts'

/** Speaks to the virtual phones at once, as if a device had been linked long ago. */
export const labAdapter = phonesAdapter
