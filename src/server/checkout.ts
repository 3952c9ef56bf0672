/** URL of the checkout's folder: this file is two levels below it, as source and as built. */
export const checkout: URL = new URL('../../', import.meta.url)
