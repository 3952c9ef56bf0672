/** Filter of the report's recipients, as in the URL. */
export type Filter = Partial<Record<'state' | 'replied' | 'optedOut' | 'clicked' | 'message', string>>
/** Empty filter of the report. */
export const NONE: Record<keyof Filter, undefined> = {
  state: undefined,
  replied: undefined,
  optedOut: undefined,
  clicked: undefined,
  message: undefined,
}
