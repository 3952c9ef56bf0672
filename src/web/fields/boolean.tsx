import type { BooleanField } from '#kit/fields/boolean.ts'
import { t } from '../t.ts'
import { CheckIcon, MinusIcon } from '../ui/icons.ts'
import { SwitchGroup, SwitchRow } from '../ui/inputs/fields.tsx'
import css from './fields.module.css'
import type { WebKind } from './kind.tsx'

/** Input and list cell of a boolean: a switch with a description. */
export const boolean: WebKind<BooleanField, boolean> = {
  Input: ({ field, value, disabled = false, onChange }) => (
    <SwitchGroup>
      <SwitchRow
        name={field.label}
        checked={Boolean(value)}
        disabled={disabled}
        onChange={onChange}
        {...(field.hint ? { effect: field.hint } : {})}
      />
    </SwitchGroup>
  ),
  Cell: ({ value }) => (
    <span
      role="img"
      aria-label={value ? t('Sim') : t('Não')}
      className={css.flag}
      data-on={Boolean(value) || undefined}
    >
      {value ? <CheckIcon size={17} /> : <MinusIcon size={17} />}
    </span>
  ),
}
