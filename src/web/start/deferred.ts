type Load = () => Promise<() => void>

const loads: Load[] = []

/** Has a feature start something once the page has loaded, whichever screen is open. */
export const deferred = (load: Load): void => void loads.push(load)

/** What features start once the page has loaded. */
export const allDeferred = (): readonly Load[] => loads
