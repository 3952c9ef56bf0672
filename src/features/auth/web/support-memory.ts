const key = 'guiche.support'

/** Keeps until when this browser is in somebody's account by support access. */
export const rememberSupport = (endsAt: string): void => localStorage.setItem(key, endsAt)

/** Whether this browser may be in a support session; the server knows for sure. */
export const mayBeSupport = (): boolean => (localStorage.getItem(key) ?? '') > new Date().toISOString()

/** Forgets it. */
export const forgetSupport = (): void => localStorage.removeItem(key)
