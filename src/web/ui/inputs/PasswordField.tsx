import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { t } from '../../t.ts'
import { HideIcon, ShowIcon } from '../icons.ts'

const eye = ({ reveal }: { reveal: boolean }) => (reveal ? <HideIcon size={18} /> : <ShowIcon size={18} />)

/** Password field that can show what is typed. */
export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      visibilityToggleIcon={eye}
      visibilityToggleButtonProps={{ 'aria-label': t('Mostrar ou esconder a senha') }}
      {...props}
    />
  )
}
