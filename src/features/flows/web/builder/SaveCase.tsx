import { Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { CallInput } from '#kit/contract.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { DialogEnd } from '#web/ui/feedback/DialogEnd.tsx'
import { SwitchRow } from '#web/ui/inputs/fields.tsx'
import { flows } from '../../addresses.ts'
import css from './builder.module.css'
import type { Conversation, Played } from './conversation.ts'
import type { Draft } from './draft.ts'

/** Stores a case and runs all cases of the flow again. */
async function create(draft: Draft, body: CallInput<typeof flows.createCase>['body']): Promise<true> {
  const params = { id: draft.state.get().detail.id }
  await call(flows.createCase, { params, body }, { quiet: true })
  draft.reviewed(await call(flows.runCases, { params }, { quiet: true }))
  return true
}

/** Dialog that stores a simulated conversation as a case, whose path and end the draft must reproduce from now on. */
export function SaveCase(props: { draft: Draft; conversation: Conversation; played: Played; onClose: () => void }) {
  const { draft, conversation, played, onClose } = props
  const first = conversation.events.find(({ text }) => text)?.text ?? t('Sem resposta')
  const [name, setName] = useState(first.slice(0, 100))
  const [isExact, setExact] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    const { path, end, messages } = played
    const expect = { path, end, ...(isExact ? { messages: messages.map(({ body }) => body) } : {}) }
    const { events, answers } = conversation
    const body = { name, ...conversation, events: [...events], answers: [...answers], expect }
    const done = await attempt(() => create(draft, body), t('Caso salvo'))
    setBusy(false)
    if (done) onClose()
  }
  return (
    <Modal opened onClose={onClose} size={420} title={t('Salvar como caso')}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') void save()
        }}
      >
        <TextInput
          label={t('Nome')}
          required
          data-autofocus
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <SwitchRow
          name={t('Conferir também as mensagens')}
          effect={t('Desligado, o caso confere o caminho e o fim; os textos podem mudar.')}
          checked={isExact}
          onChange={setExact}
        />
        <DialogEnd action={t('Salvar')} doing={t('Salvando')} busy={isBusy} onClose={onClose} />
      </form>
    </Modal>
  )
}
