import { PasswordInput } from '@mantine/core'
import { PASSWORD_RULES } from '#domain/access/password.ts'
import { t } from '#web/t.ts'
import { CheckIcon, LockIcon, MinusIcon } from '#web/ui/icons.ts'
import { passwordEye } from './login.tsx'
import css from './new-password.module.css'

/** Field of a new password, with its rules checked while typing. */
export function NewPassword(props: {
  label: string
  value: string
  error: string | undefined
  autoFocus?: boolean
  onChange: (value: string) => void
}) {
  const { label, value, error, autoFocus = false, onChange } = props
  return (
    <div>
      <PasswordInput
        size="lg"
        label={label}
        name="password"
        autoComplete="new-password"
        autoFocus={autoFocus}
        value={value}
        error={error}
        leftSection={<LockIcon size={18} />}
        visibilityToggleIcon={passwordEye}
        visibilityToggleButtonProps={{ 'aria-label': t('Mostrar ou esconder a senha') }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <ul className={css.rules} aria-label={t('A senha precisa de')}>
        {PASSWORD_RULES.map(({ text, test }) => {
          const done = test(value)
          return (
            <li key={text} data-done={done || undefined}>
              {done ? <CheckIcon size={14} /> : <MinusIcon size={14} />}
              {text}
              {done && <span className="g-hidden">{t(': sim')}</span>}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
