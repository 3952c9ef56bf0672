import { TextInput } from '@mantine/core'
import type { EmailField } from '#kit/fields/email.ts'
import type { TextField } from '#kit/fields/text.ts'
import type { UrlField } from '#kit/fields/url.ts'
import { shownOf, TextCell, type WebKind } from './kind.tsx'

const inputOf = <F extends TextField | EmailField | UrlField>(
  type: 'text' | 'email' | 'url',
  most: (field: F) => number,
): WebKind<F, string> => ({
  Input: (props) => (
    <TextInput
      {...shownOf(props)}
      type={type}
      maxLength={most(props.field)}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  ),
  Cell: TextCell,
})

/** Input and list cell of a text of one line. */
export const text = inputOf<TextField>('text', ({ max = 255 }) => max)

/** Input and list cell of an e-mail address. */
export const email = inputOf<EmailField>('email', () => 254)

/** Input and list cell of a URL. */
export const url = inputOf<UrlField>('url', () => 2000)
