import { Select } from '@mantine/core'
import { useState } from 'react'
import type { Profile } from '#domain/access/profiles.ts'
import { isApiError, sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { sealed } from '#web/sealed.ts'
import { viewer } from '#web/session.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { SwitchGroup, SwitchRow } from '#web/ui/fields.tsx'
import { FormDrawer } from '#web/ui/form-drawer.tsx'
import { notify } from '#web/ui/notify.tsx'
import { type FieldErrors, useForm } from '#web/ui/use-form.ts'
import { useOpening } from '#web/ui/use-opening.ts'
import { type TenantUser, userTenants } from '../user-tenants.ts'
import { AccountFields } from './AccountFields.tsx'
import type { Company } from './companies.ts'
import { bodyOf, checker, emptyValues, type FormValues, valuesOf } from './form-values.ts'
import type { Invitation } from './InviteLink.tsx'

const quiet = { quiet: true }
const everywhere: readonly Profile[] = ['user', 'super', 'admin']

/** The drawer of a user of any company; without `user`, of a new one, whose company is chosen once. */
export function TenantUserForm(props: {
  user: TenantUser | undefined
  companies: readonly Company[]
  onInvited: (invitation: Invitation) => void
  onClose: () => void
}) {
  const { user, companies, onInvited, onClose } = props
  const isNew = !user
  const me = viewer()
  const isOwn = user?.id === me.userId
  const form = useForm<FormValues>(user ? valuesOf(user) : emptyValues)
  const [tenantId, setTenantId] = useState(user?.tenantId ?? 0)
  const [busy, setBusy] = useState(false)
  const { opened, close } = useOpening(onClose)
  const { values, errors, set, reset } = form
  const save = async () => {
    const wrong = checker.safeParse(values).error?.issues ?? []
    const found = Object.fromEntries(wrong.map(({ path, message }) => [String(path[0]), message]))
    if (tenantId === 0) found.tenantId = 'Escolha a empresa.'
    if (Object.keys(found).length > 0) return form.setErrors(found)
    setBusy(true)
    try {
      const password = values.password ? { password: await sealed(values.password) } : {}
      const {
        queueIds: _,
        whatsappIds: __,
        ...body
      } = { ...bodyOf(values, user && form.changed), ...password, tenantId }
      if (user) {
        await call(userTenants.update, { params: { id: user.id }, body }, quiet)
        notify({ tone: 'pos', title: 'Usuário salvo' })
      } else {
        const { name, email, profile } = values
        const made = await call(userTenants.create, { body: { ...body, name, email, profile } }, quiet)
        notify({ tone: 'pos', title: made.isMailed ? `Convite enviado para ${made.email}` : 'Usuário cadastrado' })
        if (!values.password && values.isActive && !made.isMailed) {
          const came = await call(userTenants.invite, { params: { id: made.id }, body: { tenantId } }, quiet)
          onInvited({ name, email, ...came })
        }
      }
      reset(values)
      close()
    } catch (error) {
      const isByField = isApiError(error) && ['ERR_VALIDATION', 'ERR_DUPLICATED'].includes(error.code)
      const details = isByField ? (error.details as FieldErrors) : {}
      if (Object.keys(details).length > 0) form.setErrors(details)
      else notify({ tone: 'neg', title: sentence(error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <FormDrawer
      opened={opened}
      onClose={close}
      onSave={() => void save()}
      title={user?.name ?? 'Novo usuário'}
      sub={user && `${user.tenantName} · ${user.email}`}
      avatar={user && <Avatar id={user.id} name={user.name} size={44} />}
      changed={form.changed.length}
      busy={busy}
      size={520}
      {...(isNew && !values.password ? { saveLabel: 'Salvar e convidar' } : {})}
    >
      <Select
        label="Empresa"
        required
        searchable
        disabled={!isNew}
        nothingFoundMessage="Nenhuma empresa com esse nome"
        data={companies.map((one) => ({ value: String(one.id), label: `${one.name} (${one.used} de ${one.max})` }))}
        value={tenantId ? String(tenantId) : null}
        error={errors.tenantId}
        onChange={(id) => setTenantId(Number(id))}
      />
      <AccountFields
        values={values}
        errors={errors}
        set={set}
        isNew={isNew}
        isOwn={isOwn}
        roles={tenantId === me.tenantId ? [...everywhere, 'superadmin'] : everywhere}
      />
      <SwitchGroup>
        <SwitchRow
          name="Ativo"
          effect="Desligado, não entra, sai de todos os dispositivos e devolve os atendimentos abertos."
          checked={values.isActive}
          disabled={isOwn}
          onChange={(isActive) => set('isActive', isActive)}
        />
        <SwitchRow
          name="Usuário restrito"
          effect="Não vê dados de contatos: nomes, números e e-mails aparecem encobertos."
          checked={values.restrictedUser}
          onChange={(restrictedUser) => set('restrictedUser', restrictedUser)}
        />
        <SwitchRow
          name="Suporte"
          effect="Vê o que um administrador vê, para ajudar a empresa."
          checked={values.isSupport}
          onChange={(isSupport) => set('isSupport', isSupport)}
        />
      </SwitchGroup>
    </FormDrawer>
  )
}
