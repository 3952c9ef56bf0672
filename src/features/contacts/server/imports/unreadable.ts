/** Creates the error of an unreadable file; the message is for people. */
export const unreadable = (problem: string): Error => Object.assign(new Error(problem), { isUnreadable: true })

/** Checks whether an error states why a file is unreadable. */
export const isUnreadable = (error: unknown): error is Error => error instanceof Error && 'isUnreadable' in error
