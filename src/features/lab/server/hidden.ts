const START = 'BR.lab'

/** The id by which a channel with a window knows a phone that hides its number. */
export const hiddenKey = (number: string): string => START + number

/** The number behind such an id; everything else is one already. */
export const numberOf = (key: string): string => (key.startsWith(START) ? key.slice(START.length) : key)
