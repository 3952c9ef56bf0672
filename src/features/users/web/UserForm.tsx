import { USUAL_WEEK } from '#domain/calendar/business-hours.ts'
import { attempt } from '#web/attempt.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { FieldInput } from '#web/fields/field.tsx'
import { WeekHours } from '#web/fields/WeekHours.tsx'
import { useRow } from '#web/resource/use-row.ts'
import { encryptPassword } from '#web/session/encrypt-password.ts'
import { roleNames } from '#web/session/roles.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { presenceOf } from '#web/ui/identity/presence.ts'
import { Notice, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import type { FormFields } from '#web/ui/inputs/use-form.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { SectionTabs, sectionOf } from '#web/ui/layout/section-tabs.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { users } from '../addresses.ts'
import { AccountFields, AccountSwitches } from './account-fields.tsx'
import {
  bodyOf,
  checker,
  emptyValues,
  type FormValues,
  hoursErrors,
  type Section,
  sections,
  valuesOf,
} from './form-values.ts'
import type { Invitation } from './invite-link.tsx'
import { MenuChoice } from './MenuChoice.tsx'

const capacity = {
  kind: 'number',
  label: t('Limite de atendimentos distribuídos'),
  whole: true,
  min: 0,
  max: 99,
  hint: t(
    'Em branco, o da empresa para usuários, nenhum para supervisores e administradores. Cada um pode assumir mais.',
  ),
} as const

const quiet = { quiet: true }

const emailHints = {
  proven: t('Confirmado por um link.'),
  unproven: t('Ainda não confirmado: vale para entrar até que alguém prove que o recebe.'),
  waiting: t('É a entrada de outra conta. Até confirmar pelo link enviado a ele, a pessoa entra com o usuário.'),
} as const

type Props = {
  id: string
  section: Section
  onSection: (section: Section) => void
  onInvited: (invitation: Invitation) => void
  onClose: () => void
}

/** Drawer for one user: `id` of the row, or 'novo'; `onInvited` is called after an invitation. */
export function UserForm(props: Props) {
  const { id, section, onSection, onInvited, onClose } = props
  const isNew = id === 'novo'
  const me = viewer()
  const params = { id: Number(id) }
  const isOwn = params.id === me.userId
  const row = useRow(users.get, id)
  const person = row.data
  const { values, errors, changed, set, drawer, save } = useDrawerForm(emptyValues, {
    stored: isNew ? null : person && valuesOf(person),
    reading: row,
    checker,
    onWrong: (fields) => onSection(sectionOf(sections, fields)),
    onClose,
  })
  const send = () => sendUser({ values, isNew, params, changed, onInvited })

  const roles = (['user', 'super', 'admin', 'superadmin'] as const).slice(0, me.profile === 'superadmin' ? 4 : 3)
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Novo usuário') : (person?.name ?? t('Usuário'))}
      sub={person && `${roleNames[person.profile]} · ${person.email}`}
      avatar={person && <Avatar id={person.id} name={person.name} size={44} status={presenceOf(person)} />}
      tabs={<SectionTabs sections={sections} open={section} onOpen={onSection} />}
      size={540}
      {...(isNew && !values.password ? { saveLabel: t('Salvar e convidar') } : {})}
    >
      {section === 'dados' && (
        <AccountFields
          values={values}
          errors={errors}
          set={set}
          isNew={isNew}
          isOwn={isOwn}
          roles={roles}
          emailHint={person?.emailState && emailHints[person.emailState]}
        />
      )}
      {section === 'filas' && <QueueFields values={values} errors={errors} set={set} />}
      {section === 'acesso' && <AccessFields values={values} set={set} errors={errors} isOwn={isOwn} />}
      {section === 'horario' && <HoursFields values={values} set={set} errors={errors} />}
    </FormDrawer>
  )
}

async function sendUser({
  values,
  isNew,
  params,
  changed,
  onInvited,
}: {
  values: FormValues
  isNew: boolean
  params: { id: number }
  changed: string[]
  onInvited: (invitation: Invitation) => void
}) {
  const password = values.password ? { password: await encryptPassword(values.password) } : {}
  if (!isNew) {
    await call(users.update, { params, body: { ...bodyOf(values, changed), ...password } }, quiet)
    return t('Usuário salvo')
  }
  const body = { ...bodyOf(values), ...password, name: values.name, email: values.email, profile: values.profile }
  const made = await call(users.create, { body }, quiet)
  if (made.isMailed) return t('Convite enviado para {email}', { email: made.email })
  if (!values.password && values.isActive)
    await attempt(async () => {
      const invitation = await call(users.invite, { params: { id: made.id }, body: {} }, quiet)
      onInvited({ name: made.name, email: made.email, ...invitation })
    })
  return t('Usuário cadastrado')
}

function HoursFields({ values, errors, set }: FormFields<FormValues>) {
  return (
    <>
      <SwitchGroup>
        <SwitchRow
          name={t('Horário próprio')}
          effect={t('Fora dele a pessoa não entra, quando a empresa respeita o horário de cada usuário.')}
          checked={values.businessHours !== null}
          onChange={(hasHours) => set('businessHours', hasHours ? USUAL_WEEK : null)}
        />
      </SwitchGroup>
      {values.businessHours && (
        <WeekHours
          labels="person"
          value={values.businessHours}
          errors={errors.businessHours ? hoursErrors(values.businessHours) : {}}
          onChange={(week) => set('businessHours', week)}
        />
      )}
    </>
  )
}

function AccessFields({ values, errors, set, isOwn }: FormFields<FormValues> & { isOwn: boolean }) {
  return (
    <>
      <AccountSwitches values={values} set={set} isOwn={isOwn} withSupport={viewer().profile === 'superadmin'} />
      {errors.menuPermissions && <Notice tone="neg">{errors.menuPermissions}</Notice>}
      <MenuChoice values={values} onChange={(hidden) => set('menuPermissions', hidden)} />
    </>
  )
}

function QueueFields({ values, errors, set }: FormFields<FormValues>) {
  const queues = useChoices('queues')
  const connections = useChoices('connections')
  return (
    <>
      <ManyChoice
        label={t('Filas')}
        hint={t('Os atendimentos destas filas aparecem para a pessoa.')}
        none={t('Nada com esse nome')}
        options={queues}
        chosen={values.queueIds}
        error={errors.queueIds}
        onChange={(ids) => set('queueIds', ids)}
      />
      <ManyChoice
        label={t('Canais')}
        hint={t('Por onde pode iniciar conversas. Nenhum escolhido: por todos.')}
        none={t('Nada com esse nome')}
        options={connections}
        chosen={values.whatsappIds}
        error={errors.whatsappIds}
        onChange={(ids) => set('whatsappIds', ids)}
      />
      <FieldInput
        field={capacity}
        value={values.capacity}
        error={errors.capacity}
        onChange={(value) => set('capacity', value)}
      />
    </>
  )
}
