import { Select, TextInput } from '@mantine/core'
import { PROFILES, type Profile } from '#domain/access/profiles.ts'
import { roleNames } from '#web/session/roles.ts'
import { t } from '#web/t.ts'
import { Pair, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { PasswordField } from '#web/ui/inputs/PasswordField.tsx'
import { PhoneInput } from '#web/ui/inputs/PhoneInput.tsx'
import { passwordNeeds } from '#web/ui/inputs/password-needs.ts'
import type { FieldErrors } from '#web/ui/inputs/use-form.ts'
import type { FormValues } from './form-values.ts'

type Set = (key: keyof FormValues, value: FormValues[keyof FormValues]) => void
type Form = { values: FormValues; errors: FieldErrors; set: Set }

/** Form fields of an account: name, login names, phone, role, password. */
export function AccountFields(
  props: Form & {
    isNew: boolean
    /** Whether it is the user's own account, whose role and password are not edited here. */
    isOwn?: boolean
    roles: readonly Profile[]
    /** Hint about the stored e-mail. */
    emailHint?: string | undefined
  },
) {
  const { values, errors, set, isNew, isOwn = false, roles, emailHint } = props
  const input = (key: 'name' | 'email' | 'username', label: string) => ({
    label,
    value: values[key],
    error: errors[key],
    onChange: (event: { currentTarget: { value: string } }) => set(key, event.currentTarget.value),
  })
  return (
    <>
      <TextInput {...input('name', t('Nome'))} required data-autofocus maxLength={50} />
      <TextInput
        {...input('email', 'E-mail')}
        description={emailHint}
        required
        type="email"
        maxLength={254}
        autoComplete="off"
      />
      <Pair>
        <TextInput
          {...input('username', t('Nome de usuário'))}
          maxLength={40}
          autoComplete="off"
          description={t('Opcional: outro nome para entrar.')}
        />
        <PhoneInput
          label={t('Telefone')}
          value={values.phone}
          error={errors.phone}
          onChange={(phone) => set('phone', phone)}
        />
      </Pair>
      <RoleSelect roles={roles} values={values} isOwn={isOwn} errors={errors} set={set} />
      {!isOwn && <NewPassword isNew={isNew} values={values} errors={errors} set={set} />}
    </>
  )
}

function RoleSelect({ roles, values, isOwn, errors, set }: Form & { roles: readonly Profile[]; isOwn: boolean }) {
  const shown = PROFILES.filter((role) => roles.includes(role) || role === values.profile)
  return (
    <Select
      label={t('Perfil')}
      required
      allowDeselect={false}
      disabled={isOwn || !roles.includes(values.profile)}
      description={isOwn ? t('O próprio perfil é mudado por outro administrador.') : undefined}
      data={shown.map((value) => ({ value, label: roleNames[value] }))}
      value={values.profile}
      error={errors.profile}
      onChange={(profile) => profile && set('profile', profile)}
    />
  )
}

function NewPassword({ isNew, values, errors, set }: Form & { isNew: boolean }) {
  return (
    <PasswordField
      label={isNew ? t('Senha') : t('Nova senha')}
      autoComplete="new-password"
      value={values.password}
      error={errors.password}
      description={
        isNew
          ? t('Em branco, a pessoa é convidada e define a própria. {passwordNeeds}', { passwordNeeds })
          : t('Em branco, a senha atual continua; uma nova encerra os dispositivos da pessoa. {passwordNeeds}', {
              passwordNeeds,
            })
      }
      onChange={(event) => set('password', event.currentTarget.value)}
    />
  )
}

/** Switches of an account's permissions. */
export function AccountSwitches(props: { values: FormValues; set: Set; isOwn: boolean; withSupport: boolean }) {
  const { values, set, isOwn, withSupport } = props
  return (
    <SwitchGroup>
      <SwitchRow
        name={t('Ativo')}
        effect={t('Desligado, não entra, sai de todos os dispositivos e devolve os atendimentos abertos.')}
        checked={values.isActive}
        disabled={isOwn}
        onChange={(isActive) => set('isActive', isActive)}
      />
      <SwitchRow
        name={t('Usuário restrito')}
        effect={t('Não vê dados de contatos: nomes, números e e-mails aparecem encobertos.')}
        checked={values.restrictedUser}
        onChange={(restrictedUser) => set('restrictedUser', restrictedUser)}
      />
      <SwitchRow
        name={t('Sem ligações')}
        effect={t('Não faz nem recebe ligações pelo telefone do Guichê.')}
        checked={values.blockWavoip}
        onChange={(blockWavoip) => set('blockWavoip', blockWavoip)}
      />
      {withSupport && (
        <SwitchRow
          name={t('Suporte')}
          effect={t('Vê o que um administrador vê, para ajudar a empresa.')}
          checked={values.isSupport}
          onChange={(isSupport) => set('isSupport', isSupport)}
        />
      )}
    </SwitchGroup>
  )
}
