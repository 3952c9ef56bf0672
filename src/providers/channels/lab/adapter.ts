import { phonesAdapter } from '../phones.ts'

/** Adapter of the virtual phones that is connected at once, as if a device had been linked long ago. */
export const labAdapter = phonesAdapter
