import type { LongTextField } from '#kit/fields/longtext.ts'
import { TextArea } from '../ui/inputs/fields.tsx'
import { shownOf, TextCell, type WebKind } from './kind.tsx'

/** Input and list cell of a text of several lines. */
export const longtext: WebKind<LongTextField, string> = {
  Input: (props) => (
    <TextArea
      {...shownOf(props)}
      maxLength={props.field.max ?? 4000}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  ),
  Cell: TextCell,
}
