const START = 'BR.lab'

/** Returns the id with which a channel with a window knows a phone with a hidden number. */
export const hiddenKey = (number: string): string => START + number

/** Returns the number of such an id; any other key is returned as it is. */
export const numberOf = (key: string): string => (key.startsWith(START) ? key.slice(START.length) : key)
