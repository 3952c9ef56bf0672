import { formatDocument } from '#domain/documents/documents.ts'
import type { DocumentField } from '#kit/fields/document.ts'
import { MaskedInput } from '../ui/inputs/fields.tsx'
import { bare, documentMask } from '../ui/inputs/mask.ts'
import { shownOf, TextCell, type WebKind } from './kind.tsx'

/** Input and list cell of a CPF or CNPJ, with its mask while typing. */
export const document: WebKind<DocumentField, string> = {
  Input: (props) => (
    <MaskedInput
      {...shownOf(props)}
      mask={props.field.only ?? documentMask}
      value={props.value}
      onChange={(value) => props.onChange(bare(value))}
    />
  ),
  Cell: ({ value }) => <TextCell value={formatDocument(value)} />,
}
