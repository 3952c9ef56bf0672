import { Select } from '@mantine/core'
import type { Profile } from '#domain/access/profiles.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { encryptPassword } from '#web/session/encrypt-password.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import type { Checker, FormFields } from '#web/ui/inputs/use-form.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import type { TenantUser } from '../user-tenants.ts'
import { userTenants } from '../user-tenants-addresses.ts'
import { AccountFields, AccountSwitches } from './account-fields.tsx'
import { bodyOf, checker, emptyValues, type FormValues, valuesOf } from './form-values.ts'
import type { Invitation } from './invite-link.tsx'
import type { Company } from './options.ts'

const quiet = { quiet: true }
const everywhere: readonly Profile[] = ['user', 'super', 'admin']

const ofCompany: Checker<FormValues & { tenantId: number }> = {
  safeParse({ tenantId, ...user }) {
    const found = checker.safeParse(user).error?.issues ?? []
    const issues = tenantId ? found : [...found, { path: ['tenantId'], message: t('Escolha a empresa.') }]
    return { success: issues.length === 0, error: { issues } }
  },
}

/** Drawer for a user of any company; without `user` for a new one, whose company is chosen once. */
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
  const { values, errors, changed, set, drawer, save } = useDrawerForm(
    { ...emptyValues, tenantId: 0 },
    { stored: user ? { ...valuesOf(user), tenantId: user.tenantId } : null, checker: ofCompany, onClose },
  )
  const { tenantId } = values
  const send = async () => {
    const password = values.password ? { password: await encryptPassword(values.password) } : {}
    const { queueIds: _, whatsappIds: __, capacity: ___, ...rest } = bodyOf(values, user && changed)
    const body = { ...rest, ...password, tenantId }
    if (user) {
      await call(userTenants.update, { params: { id: user.id }, body }, quiet)
      return t('Usuário salvo')
    }
    const { name, email, profile } = values
    const made = await call(userTenants.create, { body: { ...body, name, email, profile } }, quiet)
    if (made.isMailed) return t('Convite enviado para {email}', { email: made.email })
    if (!values.password && values.isActive)
      await attempt(async () => {
        const invitation = await call(userTenants.invite, { params: { id: made.id }, body: { tenantId } }, quiet)
        onInvited({ name, email, ...invitation })
      })
    return t('Usuário cadastrado')
  }
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={user?.name ?? t('Novo usuário')}
      sub={user && `${user.tenantName} · ${user.email}`}
      avatar={user && <Avatar id={user.id} name={user.name} size={44} />}
      size={520}
      {...(isNew && !values.password ? { saveLabel: t('Salvar e convidar') } : {})}
    >
      <CompanySelect isNew={isNew} companies={companies} values={values} errors={errors} set={set} />
      <AccountFields
        values={values}
        errors={errors}
        set={set}
        isNew={isNew}
        isOwn={isOwn}
        roles={tenantId === me.tenantId ? [...everywhere, 'superadmin'] : everywhere}
      />
      <AccountSwitches values={values} set={set} isOwn={isOwn} withSupport />
    </FormDrawer>
  )
}

/** The company of the user, chosen once. */
function CompanySelect(
  props: FormFields<FormValues & { tenantId: number }> & { isNew: boolean; companies: readonly Company[] },
) {
  const { isNew, companies, values, errors, set } = props
  return (
    <Select
      label={t('Empresa')}
      required
      searchable
      disabled={!isNew}
      nothingFoundMessage={t('Nenhuma empresa com esse nome')}
      data={companies.map((one) => ({
        value: String(one.id),
        label: t('{name} ({used} de {max})', { name: one.name, used: one.used, max: one.max }),
      }))}
      value={values.tenantId ? String(values.tenantId) : null}
      error={errors.tenantId}
      onChange={(id) => set('tenantId', Number(id))}
    />
  )
}
