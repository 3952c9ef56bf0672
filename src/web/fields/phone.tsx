import { formatBrazilian } from '#domain/phone/brazil.ts'
import type { PhoneField } from '#kit/fields/phone.ts'
import { PhoneInput } from '../ui/inputs/PhoneInput.tsx'
import { shownOf, TextCell, type WebKind } from './kind.tsx'

/** Input and list cell of a phone number with its country. */
export const phone: WebKind<PhoneField, string> = {
  Input: (props) => <PhoneInput {...shownOf(props)} value={props.value} onChange={props.onChange} />,
  Cell: ({ value }) => <TextCell value={formatBrazilian(value) ?? value} />,
}
