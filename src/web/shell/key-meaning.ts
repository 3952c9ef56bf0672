/** What a person does that shows where their next keys are meant to go. */
export type Step =
  /** The focus went into a field. */
  | 'field'
  /** The pointer went down on the page or a row of a list, Tab or Esc led out of a field, another screen was opened. */
  | 'page'
  /** A letter was written, or one came that was no command. */
  | 'letter'

/** Where the next keys are meant to go, and when the last letter was written (ms). */
export type Meant = { readonly aim: 'page' | 'field'; readonly wroteAt: number }

/** For so long after a letter the next one is text, wherever the focus has gone (ms). */
export const TEXT_MS = 1000

/** What is meant after a step. */
export const meantAfter = (before: Meant, step: Step, now: number): Meant =>
  step === 'letter' ? { ...before, wroteAt: now } : { ...before, aim: step }

/** Whether a key without Ctrl is a command: the person put the focus on the page, and is not in the middle of writing. */
export const isCommand = ({ aim, wroteAt }: Meant, now: number): boolean => aim === 'page' && now - wroteAt >= TEXT_MS
