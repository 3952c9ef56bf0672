import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDocument } from '#domain/documents/documents.ts'
import { formatPhone } from '#domain/phone/shown.ts'
import type { Answer } from '#kit/contract.ts'
import { isApiError, sentence } from '#web/api.ts'
import { useChoices } from '#web/choices.ts'
import { call, query } from '#web/client.ts'
import { formatDay } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { DialogEnd } from '#web/ui/feedback/DialogEnd.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { contacts } from '../addresses.ts'
import type { ContactRow } from '../contract.ts'
import { ContactChoice } from './ContactChoice.tsx'
import css from './merging.module.css'
import { undoMerge } from './undo-merge.ts'

/** Effect of a merge. */
type MergePreview = Answer<typeof contacts.previewMerge>
type Field = MergePreview['conflicts'][number]
type Keep = Partial<Record<Field, 'a' | 'b'>>

const FIELDS: Readonly<Record<Field, string>> = {
  name: t('Nome'),
  number: t('Número'),
  email: t('E-mail'),
  cpf: t('CPF/CNPJ'),
  firstName: t('Primeiro nome'),
  lastName: t('Sobrenome'),
  businessName: t('Empresa'),
  birthdayDate: t('Data de aniversário'),
  blocked: t('Bloqueio'),
  chatbotBlocked: t('Chatbot'),
  kanban: t('Etapa do kanban'),
}

/** Dialog that merges a contact with another one, chosen first if not given; previews the changes. */
export function MergeDialog(props: {
  id: number
  name: string
  otherId?: number
  onDone: (id: number) => void
  onClose: () => void
}) {
  const { id, name, onDone, onClose } = props
  const [chosen, setChosen] = useState<number | null>(null)
  const [otherId, setOtherId] = useState(props.otherId ?? null)
  return (
    <Modal opened onClose={onClose} size={560} title={t('Mesclar {name}', { name })}>
      {otherId === null ? (
        <div className={css.form}>
          <p className={css.lead}>{t('Quem mais é esta pessoa? Escolha o outro contato.')}</p>
          <ContactChoice chosen={chosen} onChoose={setChosen} mergesInto={id} />
          <DialogEnd
            action={t('Ver o que muda')}
            isReady={chosen !== null}
            busy={false}
            onClose={onClose}
            onRun={() => setOtherId(chosen)}
          />
        </div>
      ) : (
        <Preview id={id} otherId={otherId} onDone={onDone} onClose={onClose} />
      )}
    </Modal>
  )
}

function Preview({
  id,
  otherId,
  onDone,
  onClose,
}: {
  id: number
  otherId: number
  onDone: (id: number) => void
  onClose: () => void
}) {
  const [keep, setKeep] = useState<Keep>({})
  const [busy, setBusy] = useState(false)
  const found = useQuery({
    ...query(contacts.previewMerge, { params: { id }, query: { contactId: otherId } }),
    staleTime: 0,
    retry: false,
    // Stops the preview once the merge has started.
    enabled: !busy,
  })
  if (found.isPending) return <SkeletonRows kind="table" />
  if (found.isError) return <LoadError text={sentence(found.error)} retry={() => void found.refetch()} />
  const { contact, other } = found.data
  const submit = async () => {
    setBusy(true)
    if (await merge(contact, other, keep)) onDone(contact.id)
    else setBusy(false)
  }
  return (
    <div className={css.form}>
      <div className={css.pair}>
        <Party contact={contact} role={t('Fica')} />
        <Party contact={other} role={t('Passa a fazer parte')} />
      </div>
      <Conflicts preview={found.data} keep={keep} onKeep={setKeep} />
      <Consequences preview={found.data} />
      <p className={css.note}>{t('Pode ser desfeito quando for, nas identidades do contato.')}</p>
      <DialogEnd action={t('Mesclar')} busy={busy} onClose={onClose} onRun={() => void submit()} />
    </div>
  )
}

/** Merges two contacts; a refusal is shown, and returns false. */
async function merge(contact: ContactRow, other: ContactRow, keep: Keep): Promise<boolean> {
  try {
    const body = { contactId: other.id, keep }
    const { mergeId } = await call(contacts.merge, { params: { id: contact.id }, body }, { quiet: true })
    notify({
      tone: 'pos',
      title: t('{a} e {b} são um contato só', { a: contact.name, b: other.name }),
      action: { label: t('Desfazer'), run: () => void undoMerge(mergeId) },
    })
    return true
  } catch (error) {
    notify({ tone: 'neg', title: isApiError(error) ? sentence(error) : t('Não foi possível mesclar.') })
    return false
  }
}

function Consequences({ preview: { other, tickets, identities, live } }: { preview: MergePreview }) {
  return (
    <>
      <p className={css.lead}>
        {t(
          'Vêm de {name}: {tickets} e {identities}. O que está vazio é preenchido; etiquetas, carteiras e campos extras se somam.',
          {
            name: other.name,
            tickets: plural(tickets, 'atendimento', 'atendimentos'),
            identities: plural(identities, 'endereço', 'endereços'),
          },
        )}
      </p>
      {live.map(({ connection, intoId, closedId }) => (
        <Notice key={intoId} tone="warn">
          {t(
            'Os dois têm atendimento aberto em {connection}: segue o nº {intoId}, e o nº {closedId} é unificado com ele.',
            {
              connection,
              intoId,
              closedId,
            },
          )}
        </Notice>
      ))}
    </>
  )
}

function Conflicts(props: { preview: MergePreview; keep: Keep; onKeep: (keep: Keep) => void }) {
  const { preview, keep, onKeep } = props
  const { contact, other, conflicts } = preview
  const stages = useChoices('stages')
  const shown = (of: ContactRow, field: Field): string => {
    if (field === 'kanban') return stages.find((one) => one.id === of.kanban)?.name ?? t('Sem etapa')
    if (field === 'number') return formatPhone(of.number)
    if (field === 'birthdayDate') return formatDay(`${of.birthdayDate}T12:00:00Z`)
    if (field === 'cpf') return formatDocument(of.cpf)
    if (field === 'blocked' || field === 'chatbotBlocked') return of[field] ? t('Bloqueado') : t('Livre')
    return of[field]
  }
  return (
    conflicts.length > 0 && (
      <fieldset className={css.conflicts}>
        <legend>{t('Onde os dois têm algo diferente, o que vale?')}</legend>
        {conflicts.map((field) => (
          <div key={field} className={css.field} role="radiogroup" aria-label={FIELDS[field]}>
            <span>{FIELDS[field]}</span>
            {(['a', 'b'] as const).map((side) => (
              <label key={side} data-chosen={(keep[field] ?? 'a') === side || undefined}>
                <input
                  type="radio"
                  name={field}
                  checked={(keep[field] ?? 'a') === side}
                  onChange={() => onKeep({ ...keep, [field]: side })}
                />
                <span className="g-cut">{shown(side === 'a' ? contact : other, field)}</span>
              </label>
            ))}
          </div>
        ))}
      </fieldset>
    )
  )
}

function Party({ contact, role }: { contact: ContactRow; role: string }) {
  return (
    <div className={css.party}>
      <small>{role}</small>
      <NameCell
        picture={<Avatar id={contact.id} name={contact.name} src={contact.profilePicUrl} size={36} />}
        name={contact.name}
        detail={formatPhone(contact.number) || contact.email || t('Sem número')}
      />
    </div>
  )
}
