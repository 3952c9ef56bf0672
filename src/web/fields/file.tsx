import { FileInput } from '@mantine/core'
import type { FileField } from '#kit/fields/file.ts'
import { t } from '../t.ts'
import { AttachIcon } from '../ui/icons.ts'
import { shownOf, type WebKind } from './kind.tsx'

/** File: the id of a stored one, or the chosen file itself, which is uploaded before the form is saved. */
export const file: WebKind<FileField, string | File | null> = {
  Input: (props) => (
    <FileInput
      {...shownOf(props)}
      clearable={!props.field.required}
      placeholder={typeof props.value === 'string' ? t('Arquivo guardado') : t('Escolher arquivo')}
      leftSection={<AttachIcon size={17} />}
      value={props.value instanceof File ? props.value : null}
      onChange={props.onChange}
      {...(props.field.accept ? { accept: props.field.accept } : {})}
    />
  ),
  Cell: ({ value }) => value && t('Arquivo'),
}
