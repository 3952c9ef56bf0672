import { MultiSelect, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { USUAL_WEEK } from '#domain/calendar/business-hours.ts'
import { WeekHours } from '#features/hours/web/index.ts'
import { isApiError, sentence } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { roleNames } from '#web/roles.ts'
import { sealed } from '#web/sealed.ts'
import { viewer } from '#web/session.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Notice, SwitchGroup, SwitchRow } from '#web/ui/fields.tsx'
import { FormDrawer } from '#web/ui/form-drawer.tsx'
import { notify } from '#web/ui/notify.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { LoadError } from '#web/ui/states.tsx'
import { type FieldErrors, useForm } from '#web/ui/use-form.ts'
import { useOpening } from '#web/ui/use-opening.ts'
import { users } from '../contract.ts'
import { AccountFields } from './AccountFields.tsx'
import {
  bodyOf,
  checker,
  emptyValues,
  type FormValues,
  hoursErrors,
  type Section,
  sectionOf,
  sections,
  valuesOf,
} from './form-values.ts'
import type { Invitation } from './InviteLink.tsx'
import { MenuChoice } from './MenuChoice.tsx'
import type { Option } from './options.ts'

const quiet = { quiet: true }

/** The drawer of one user: `id` of the row, or 'novo'. Who is invited is told with `onInvited`. */
export function UserForm(props: {
  id: string
  section: Section
  queues: readonly Option[]
  connections: readonly Option[]
  onSection: (section: Section) => void
  onInvited: (invitation: Invitation) => void
  onClose: () => void
}) {
  const { id, section, queues, connections, onSection, onInvited, onClose } = props
  const isNew = id === 'novo'
  const me = viewer()
  const params = { id: Number(id) }
  const isOwn = params.id === me.userId
  const row = useQuery({ ...query(users.get, { params }), enabled: !isNew, staleTime: 0 })
  const form = useForm<FormValues>(emptyValues, checker)
  const [busy, setBusy] = useState(false)
  const { opened, close } = useOpening(onClose)
  const [loaded, setLoaded] = useState(false)
  const { values, errors, set, reset } = form
  const person = row.data
  useEffect(() => {
    if (!person || loaded) return // what others change meanwhile does not overwrite what is being written
    reset(valuesOf(person))
    setLoaded(true)
  }, [person, loaded, reset])

  const refuse = (found: FieldErrors) => {
    const byField = Object.fromEntries(
      Object.entries(found).map(([path, text]) => [path.split('.')[0] as string, text]),
    )
    form.setErrors(byField)
    onSection(sectionOf(Object.keys(byField)))
  }
  const tell = (error: unknown) => {
    const isByField = isApiError(error) && ['ERR_VALIDATION', 'ERR_DUPLICATED'].includes(error.code)
    const details = isByField ? (error.details as FieldErrors) : {}
    return Object.keys(details).length > 0 ? refuse(details) : notify({ tone: 'neg', title: sentence(error) })
  }
  const save = async () => {
    const wrong = checker.safeParse(values).error?.issues ?? []
    if (wrong.length > 0)
      return refuse(Object.fromEntries(wrong.map(({ path, message }) => [String(path[0]), message])))
    setBusy(true)
    try {
      const password = values.password ? { password: await sealed(values.password) } : {}
      if (isNew) {
        const body = { ...bodyOf(values), ...password, name: values.name, email: values.email, profile: values.profile }
        const made = await call(users.create, { body }, quiet)
        const isInvited = !values.password && values.isActive
        notify({ tone: 'pos', title: made.isMailed ? `Convite enviado para ${made.email}` : 'Usuário cadastrado' })
        if (isInvited && !made.isMailed) {
          const invited = await call(users.invite, { params: { id: made.id }, body: {} }, quiet)
          onInvited({ name: made.name, email: made.email, ...invited })
        }
      } else {
        await call(users.update, { params, body: { ...bodyOf(values, form.changed), ...password } }, quiet)
        notify({ tone: 'pos', title: 'Usuário salvo' })
      }
      reset(values)
      close()
    } catch (error) {
      tell(error)
    } finally {
      setBusy(false)
    }
  }

  const isReady = isNew || loaded
  const roles = (['user', 'super', 'admin', 'superadmin'] as const).slice(0, me.profile === 'superadmin' ? 4 : 3)
  const choose = (key: 'queueIds' | 'whatsappIds', label: string, options: readonly Option[], hint: string) => (
    <MultiSelect
      label={label}
      description={hint}
      placeholder="Adicionar…"
      searchable
      hidePickedOptions
      nothingFoundMessage="Nada com esse nome"
      error={errors[key]}
      data={options
        .filter((one) => one.isActive !== false || values[key].includes(one.id))
        .map((one) => ({ value: String(one.id), label: one.name }))}
      value={values[key].map(String)}
      onChange={(chosen) => set(key, chosen.map(Number))}
    />
  )
  return (
    <FormDrawer
      opened={opened}
      onClose={close}
      onSave={() => void save()}
      title={isNew ? 'Novo usuário' : (person?.name ?? 'Usuário')}
      sub={person && `${roleNames[person.profile]} · ${person.email}`}
      avatar={
        person && <Avatar id={person.id} name={person.name} size={44} status={person.isOnline ? 'online' : 'offline'} />
      }
      tabs={
        <Tabs value={section} onChange={(next) => next && onSection(next as Section)}>
          <Tabs.List>
            {sections.map(({ key, name }) => (
              <Tabs.Tab key={key} value={key}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
      }
      changed={isReady ? form.changed.length : 0}
      busy={busy}
      size={540}
      {...(isNew && !values.password ? { saveLabel: 'Salvar e convidar' } : {})}
    >
      {!isNew && row.isPending && <SkeletonRows kind="card" rows={4} />}
      {row.isError && <LoadError text={sentence(row.error)} retry={() => void row.refetch()} />}
      {isReady && section === 'dados' && (
        <AccountFields values={values} errors={errors} set={set} isNew={isNew} isOwn={isOwn} roles={roles} />
      )}
      {isReady && section === 'filas' && (
        <>
          {choose('queueIds', 'Filas', queues, 'Os atendimentos destas filas aparecem para a pessoa.')}
          {choose(
            'whatsappIds',
            'Conexões',
            connections,
            'Por onde pode iniciar conversas. Nenhuma escolhida: por todas.',
          )}
        </>
      )}
      {isReady && section === 'acesso' && (
        <>
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
            {me.profile === 'superadmin' && (
              <SwitchRow
                name="Suporte"
                effect="Vê o que um administrador vê, para ajudar a empresa."
                checked={values.isSupport}
                onChange={(isSupport) => set('isSupport', isSupport)}
              />
            )}
          </SwitchGroup>
          {errors.menuPermissions && <Notice tone="neg">{errors.menuPermissions}</Notice>}
          <MenuChoice values={values} onChange={(hidden) => set('menuPermissions', hidden)} />
        </>
      )}
      {isReady && section === 'horario' && (
        <>
          <SwitchGroup>
            <SwitchRow
              name="Horário próprio"
              effect="Fora dele a pessoa não entra, quando a empresa respeita o horário de cada usuário."
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
      )}
    </FormDrawer>
  )
}
