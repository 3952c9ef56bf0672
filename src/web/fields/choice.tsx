import { Select } from '@mantine/core'
import type { ChoiceField } from '#kit/fields/choice.ts'
import { t } from '../t.ts'
import { Segments } from '../ui/inputs/fields.tsx'
import { shownOf, TextCell, type WebKind } from './kind.tsx'

/** Input and list cell of one of a few options, by their labels. */
export const choice: WebKind<ChoiceField, string | null> = {
  Input: (props) =>
    props.field.inView ? (
      <Segments
        label={props.field.label}
        hint={props.field.hint}
        value={props.value ?? ''}
        options={Object.entries(props.field.options).map(([value, label]) => ({ value, label }))}
        onChange={props.onChange}
      />
    ) : (
      <Select
        {...shownOf(props)}
        placeholder={t('Escolha')}
        allowDeselect={!props.field.required}
        clearable={!props.field.required}
        data={Object.entries(props.field.options).map(([value, label]) => ({ value, label }))}
        value={props.value}
        onChange={props.onChange}
      />
    ),
  Cell: ({ field, value }) => <TextCell value={value === null ? '' : (field.options[value] ?? value)} />,
}
