/** The folder of the checkout, as the address of a folder: this file is two below it, as source and as built. */
export const checkout: URL = new URL('../../', import.meta.url)
