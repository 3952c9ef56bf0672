import type { SecretField } from '#kit/fields/secret.ts'
import { t } from '../t.ts'
import { PasswordField } from '../ui/inputs/PasswordField.tsx'
import { shownOf, TextCell, type WebKind } from './kind.tsx'

/** Returns the field's text after a change: a masked secret is replaced as a whole. */
const replaced = (before: string, written: string): string => {
  if (!before.startsWith('•')) return written
  return written.startsWith(before) ? written.slice(before.length) : written.includes('•') ? '' : written
}

/** Key or password: the stored one is shown masked, and is replaced as a whole. */
export const secret: WebKind<SecretField, string> = {
  Input: (props) => (
    <PasswordField
      {...shownOf(props)}
      description={
        props.value.startsWith('•') ? t('Guardado e cifrado. Escreva por cima para trocar.') : props.field.hint
      }
      autoComplete="new-password"
      maxLength={props.field.max ?? 500}
      value={props.value}
      visible={props.value.startsWith('•') || undefined}
      onFocus={(event) => props.value.startsWith('•') && event.currentTarget.select()}
      onChange={(event) => props.onChange(replaced(props.value, event.currentTarget.value))}
    />
  ),
  Cell: TextCell,
}
