const key = 'guiche.support'

/** Stores the end of this browser's support access. */
export const rememberSupport = (endsAt: string): void => localStorage.setItem(key, endsAt)

/** Whether this browser may be in a support session; the server knows for sure. */
export const mayBeSupport = (): boolean => (localStorage.getItem(key) ?? '') > new Date().toISOString()

/** Removes the stored end of support access. */
export const forgetSupport = (): void => localStorage.removeItem(key)
