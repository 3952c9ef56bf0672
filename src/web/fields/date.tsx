import { TextInput } from '@mantine/core'
import { type DateField, writtenDate } from '#kit/fields/date.ts'
import { type DateTimeField, momentOf, wallClock } from '#kit/fields/datetime.ts'
import type { TimeField } from '#kit/fields/time.ts'
import { formatDateTime, timeZone } from '../format.ts'
import { shownOf, TextCell, type WebKind } from './kind.tsx'

/** Input and list cell of a date. */
export const date: WebKind<DateField, string | null> = {
  Input: (props) => (
    <TextInput
      {...shownOf(props)}
      type="date"
      value={props.value ?? ''}
      onChange={(event) => props.onChange(event.currentTarget.value || null)}
    />
  ),
  Cell: ({ value }) => value && writtenDate(value),
}

/** Input and list cell of a date and time in the company's zone. */
export const datetime: WebKind<DateTimeField, string | null> = {
  Input: (props) => (
    <TextInput
      {...shownOf(props)}
      type="datetime-local"
      value={props.value ? wallClock(props.value, timeZone()) : ''}
      onChange={(event) => props.onChange(momentOf(event.currentTarget.value, timeZone()))}
    />
  ),
  Cell: ({ value }) => value && formatDateTime(value),
}

/** Input and list cell of a time of day. */
export const time: WebKind<TimeField, string> = {
  Input: (props) => (
    <TextInput
      {...shownOf(props)}
      type="time"
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  ),
  Cell: TextCell,
}
