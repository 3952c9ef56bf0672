import { MultiSelect, Tabs, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { errorText } from '#kit/errors.ts'
import { isApiError, sentence } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { formatDate } from '#web/format.ts'
import { plural } from '#web/t.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Tag } from '#web/ui/bits.tsx'
import { confirm } from '#web/ui/confirm.tsx'
import { MaskedInput, Notice, Pair, SwitchGroup, SwitchRow } from '#web/ui/fields.tsx'
import { FormDrawer } from '#web/ui/form-drawer.tsx'
import { documentMask } from '#web/ui/mask.ts'
import { notify } from '#web/ui/notify.tsx'
import { PhoneInput } from '#web/ui/phone-input.tsx'
import { isPhone } from '#web/ui/phone-rule.ts'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { LoadError } from '#web/ui/states.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { useOpening } from '#web/ui/use-opening.ts'
import { contacts } from '../contract.ts'
import css from './contacts.module.css'
import { ExtraFields } from './ExtraFields.tsx'
import { bodyOf, checker, emptyValues, type FormValues, valuesOf } from './form-values.ts'
import type { Option } from './options.ts'
import { phoneText } from './words.ts'

type Other = { id: number; name: string }

/** The drawer of one contact: `id` of the row, or 'novo'. */
export function ContactForm(props: {
  id: string
  tags: readonly Option[]
  colleagues: readonly Option[]
  onOpen: (id: number) => void
  onClose: () => void
}) {
  const { id, tags, colleagues, onOpen, onClose } = props
  const isNew = id === 'novo'
  const row = useQuery({ ...query(contacts.get, { params: { id: Number(id) } }), enabled: !isNew, staleTime: 0 })
  // A number that a channel brought is not judged here; only what somebody writes is.
  const stored = useRef('')
  const form = useForm<FormValues>(emptyValues, checker, {
    number: [(number) => number === stored.current || isPhone(number)],
  })
  const [tab, setTab] = useState<string | null>('data')
  const [busy, setBusy] = useState(false)
  const { opened, close } = useOpening(onClose)
  const [other, setOther] = useState<Other | null>(null)
  const [loaded, setLoaded] = useState(false)
  const { values, errors, set, reset } = form
  const contact = row.data
  useEffect(() => {
    if (!contact || loaded) return // what others change meanwhile does not overwrite what is being written
    const known = valuesOf(contact)
    stored.current = known.number
    reset(known)
    setLoaded(true)
  }, [contact, loaded, reset])

  const tell = (error: unknown) => {
    if (!isApiError(error)) return notify({ tone: 'neg', title: sentence(error) })
    if (error.code === 'ERR_DUPLICATED_CONTACT') {
      setOther((error.details.contact as Other | undefined) ?? null)
      return form.setErrors({ number: errorText(error.code) })
    }
    const fields = error.code === 'ERR_VALIDATION' ? (error.details as Record<string, string>) : {}
    return Object.keys(fields).length > 0 ? form.setErrors(fields) : notify({ tone: 'neg', title: sentence(error) })
  }
  const save = async () => {
    setOther(null)
    setBusy(true)
    try {
      if (!(await form.check())) return setTab(checker.tabOf(values))
      if (isNew) await call(contacts.create, { body: { ...bodyOf(values), name: values.name } }, { quiet: true })
      else
        await call(contacts.update, { params: { id: Number(id) }, body: bodyOf(values, form.changed) }, { quiet: true })
      notify({ tone: 'pos', title: isNew ? 'Contato cadastrado' : 'Contato salvo' })
      reset(values)
      close()
    } catch (error) {
      setTab('data')
      tell(error)
    } finally {
      setBusy(false)
    }
  }

  const openOther = async ({ id: otherId, name }: Other) => {
    const leave = await confirm({
      title: `Abrir ${name}?`,
      text: 'O que você escreveu aqui ainda não foi salvo.',
      action: 'Descartar e abrir',
      cancel: 'Continuar editando',
    })
    if (leave) onOpen(otherId)
  }

  const input = (key: 'name' | 'email' | 'firstName' | 'lastName' | 'businessName', label: string) => ({
    label,
    value: values[key],
    error: errors[key],
    onChange: (event: { currentTarget: { value: string } }) => set(key, event.currentTarget.value),
  })
  const known = contact && [phoneText(contact.number), `cliente desde ${formatDate(contact.createdAt)}`]
  return (
    <FormDrawer
      opened={opened}
      onClose={close}
      onSave={() => void save()}
      title={isNew ? 'Novo contato' : (contact?.name ?? 'Contato')}
      sub={known?.filter(Boolean).join(' · ')}
      avatar={
        contact && (
          <Avatar
            id={contact.id}
            name={contact.name}
            src={contact.profilePicUrl}
            size={44}
            channel={contact.channels[0] ?? null}
          />
        )
      }
      tabs={
        <Tabs value={tab} onChange={setTab}>
          <Tabs.List>
            <Tabs.Tab value="data">Dados</Tabs.Tab>
            <Tabs.Tab value="extra">
              Campos extras{' '}
              {values.extraInfo.length > 0 && <span className={css.share}>{values.extraInfo.length}</span>}
            </Tabs.Tab>
          </Tabs.List>
        </Tabs>
      }
      changed={isNew || loaded ? form.changed.length : 0}
      busy={busy}
      size={520}
    >
      {!isNew && row.isPending && <SkeletonRows kind="card" rows={4} />}
      {row.isError && <LoadError text={sentence(row.error)} retry={() => void row.refetch()} />}
      {(isNew || loaded) && tab === 'data' && (
        <>
          <Pair>
            <TextInput {...input('name', 'Nome')} required data-autofocus maxLength={120} />
            <PhoneInput
              label="Número"
              placeholder="(19) 99812-4407"
              description="Com DDD; de outro país, escolha-o ao lado ou comece com +."
              value={values.number}
              error={errors.number}
              onChange={(number) => set('number', number)}
              onBlur={() => form.leave('number')}
            />
          </Pair>
          {other && (
            <Notice
              tone="warn"
              action={
                <button type="button" className={css.way} onClick={() => void openOther(other)}>
                  Abrir contato
                </button>
              }
            >
              Este número já é de {other.name}.
            </Notice>
          )}
          <Pair>
            <TextInput {...input('firstName', 'Primeiro nome')} maxLength={80} />
            <TextInput {...input('lastName', 'Sobrenome')} maxLength={80} />
          </Pair>
          <Pair>
            <TextInput {...input('email', 'E-mail')} type="email" maxLength={254} />
            <MaskedInput
              label="CPF/CNPJ"
              mask={documentMask}
              value={values.cpf}
              error={errors.cpf}
              onChange={(cpf) => set('cpf', cpf)}
            />
          </Pair>
          <Pair>
            <MaskedInput
              label="Data de aniversário"
              mask="data"
              fill
              placeholder="DD/MM/AAAA"
              value={values.birthdayDate}
              error={errors.birthdayDate}
              onChange={(day) => set('birthdayDate', day)}
            />
            <TextInput {...input('businessName', 'Empresa')} maxLength={120} />
          </Pair>
          <MultiSelect
            label="Etiquetas"
            placeholder="Adicionar…"
            searchable
            hidePickedOptions
            nothingFoundMessage="Nenhuma etiqueta com esse nome"
            data={tags
              .filter((one) => one.isActive !== false || values.tags.includes(one.id))
              .map((one) => ({ value: String(one.id), label: one.name }))}
            value={values.tags.map(String)}
            onChange={(ids) => set('tags', ids.map(Number))}
            renderPill={({ option, value, onRemove }) => (
              <Tag
                name={option?.label ?? String(value)}
                color={tags.find((one) => String(one.id) === value)?.color ?? '#5C5462'}
                {...(onRemove ? { onRemove } : {})}
              />
            )}
          />
          <MultiSelect
            label="Carteira"
            placeholder="Adicionar…"
            description="Quem cuida deste cliente."
            searchable
            hidePickedOptions
            nothingFoundMessage="Ninguém com esse nome"
            data={colleagues.map((one) => ({ value: String(one.id), label: one.name }))}
            value={values.wallets.map(String)}
            onChange={(ids) => set('wallets', ids.map(Number))}
          />
          <SwitchGroup>
            <SwitchRow
              name="Bloquear contato"
              effect="As mensagens dele deixam de chegar."
              checked={values.blocked}
              onChange={(blocked) => set('blocked', blocked)}
            />
          </SwitchGroup>
          {contact && contact.ticketCount > 0 && (
            <p className={css.hint}>
              {plural(contact.ticketCount, 'atendimento', 'atendimentos')} na história deste contato.
            </p>
          )}
        </>
      )}
      {(isNew || loaded) && tab === 'extra' && (
        <ExtraFields
          value={values.extraInfo}
          refused={errors.extraInfo !== undefined}
          onChange={(extraInfo) => set('extraInfo', extraInfo)}
        />
      )}
    </FormDrawer>
  )
}
