import { Modal, Select } from '@mantine/core'
import { useState } from 'react'
import { errorText } from '#kit/errors.ts'
import { sentence } from '#web/api.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { plural, t } from '#web/t.ts'
import { DialogEnd } from '#web/ui/feedback/DialogEnd.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Fields, Notice } from '#web/ui/inputs/fields.tsx'
import { birthdays } from '../addresses.ts'
import type { BirthdayRow } from '../contract.ts'
import css from './birthdays.module.css'

/** Dialog that sends greetings now over a chosen connection, and lists failures with reasons. */
export function SendDialog({ people, onClose }: { people: readonly BirthdayRow[]; onClose: () => void }) {
  const connections = useChoices('connections').filter(({ isAllowed }) => isAllowed)
  const [chosen, setChosen] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const whatsappId = Number(chosen ?? connections[0]?.id ?? 0)
  const send = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const body = { whatsappId, contactIds: people.map(({ id }) => id) }
      const { queued, skipped } = await call(birthdays.send, { body }, { quiet: true })
      const nameOf = (id: number) => people.find((one) => one.id === id)?.name ?? ''
      const why = skipped.map(({ contactId, code }) => `${nameOf(contactId)}: ${errorText(code)}`)
      notify({
        tone: skipped.length > 0 ? 'warn' : 'pos',
        title:
          queued === 0
            ? t('Ninguém recebeu parabéns')
            : t('Parabéns enviados a {count}', { count: plural(queued, t('contato'), t('contatos')) }),
        ...(why.length > 0 ? { text: why.join(' ') } : {}),
      })
      onClose()
    } catch (error) {
      setProblem(sentence(error))
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} size={420} title={t('Enviar parabéns agora')}>
      <Fields>
        <p className={css.note}>
          {t('{count} o texto que o canal tem para aniversários.', {
            count: plural(people.length, t('contato recebe'), t('contatos recebem')),
          })}
        </p>
        <Select
          label={t('Enviar por')}
          allowDeselect={false}
          data={connections.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={whatsappId > 0 ? String(whatsappId) : null}
          onChange={setChosen}
        />
        {problem && <Notice tone="neg">{problem}</Notice>}
        <DialogEnd
          action={t('Enviar')}
          doing={t('Enviando')}
          isReady={whatsappId > 0}
          busy={isBusy}
          onClose={onClose}
          onRun={() => void send()}
        />
      </Fields>
    </Modal>
  )
}
