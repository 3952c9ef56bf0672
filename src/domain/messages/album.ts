/** Pictures and films that belong together; of ours it is known how many of each there are. */
export type Album = { readonly id: string; readonly images?: number; readonly videos?: number }
