import { memberOf } from '../present.ts'

const WEEKDAY = '(MO|TU|WE|TH|FR|SA|SU)'
const ENDS = { COUNT: /^[1-9]\d{0,2}$/, UNTIL: /^\d{8}(T\d{6}Z?)?$/ }
/**
 * Permitted parts for each frequency: no hours, and no combinations that may never occur (`DAILY;BYMONTH=2;BYMONTHDAY=30`),
 * for which the library would search thousands of years.
 */
const PARTS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  DAILY: { INTERVAL: /^[1-9]\d?$/ },
  WEEKLY: { INTERVAL: /^[1-9]\d?$/, BYDAY: new RegExp(`^${WEEKDAY}(,${WEEKDAY}){0,6}$`) },
  MONTHLY: {
    INTERVAL: /^([1-9]|1[01])$/,
    BYDAY: new RegExp(`^([1-5]|-1)${WEEKDAY}$`),
    BYMONTHDAY: /^(-1|[1-9]|[12]\d|3[01])$/,
  },
  YEARLY: {},
}
/** Groups of parts that exclude each other. */
const EITHER = [
  ['COUNT', 'UNTIL'],
  ['BYDAY', 'BYMONTHDAY'],
]

/** Whether a text is a repetition rule (RRULE of RFC 5545, `FREQ` first) that messages may have. */
export function isRecurrence(rule: string): boolean {
  const [[first, frequency = ''] = [], ...parts] = rule.split(';').map((part) => part.split('='))
  const permitted: Readonly<Record<string, RegExp>> = { ...PARTS[frequency], ...ENDS }
  const names = parts.map(([name]) => name)
  return (
    first === 'FREQ' &&
    Object.hasOwn(PARTS, frequency) &&
    new Set(names).size === names.length &&
    EITHER.every((pair) => !pair.every((name) => names.includes(name))) &&
    parts.every(([name = '', value = '', ...rest]) => {
      return rest.length === 0 && Object.hasOwn(permitted, name) && memberOf(permitted, name).test(value)
    })
  )
}
