import { Modal, NumberInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '#web/t.ts'
import { DialogEnd } from '#web/ui/feedback/DialogEnd.tsx'
import { Fields, Notice } from '#web/ui/inputs/fields.tsx'
import { groupTools } from '../addresses.ts'
import { LONGEST_TITLE } from '../forms.ts'
import { numbersIn, type Problems, startJob } from './start.ts'

/** Dialog that creates many groups with the same participants. */
export function CreateGroups({ whatsappId, onClose }: { whatsappId: number; onClose: () => void }) {
  const [title, setTitle] = useState('')
  const [text, setText] = useState('')
  const [quantity, setQuantity] = useState<number | string>(1)
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Problems>({})
  const participants = numbersIn(text)
  const send = async () => {
    setBusy(true)
    const wrong = await startJob(groupTools.create, { whatsappId, title, participants, quantity: Number(quantity) })
    setBusy(false)
    if (wrong) setProblems(wrong)
    else onClose()
  }
  return (
    <Modal opened onClose={onClose} size={480} title={t('Criar grupos em massa')}>
      <Fields>
        <GroupFields
          title={title}
          problems={problems}
          setTitle={setTitle}
          text={text}
          setText={setText}
          quantity={quantity}
          setQuantity={setQuantity}
        />
        <Notice tone="warn">
          {t('Criar muitos grupos de uma vez pode levar o WhatsApp a bloquear o número: eles saem aos poucos.')}
        </Notice>
        {problems[''] && <Notice tone="neg">{problems['']}</Notice>}
        <DialogEnd
          action={t('Criar')}
          doing={t('Começando')}
          isReady={title.trim() !== '' && participants.length > 0}
          busy={busy}
          onClose={onClose}
          onRun={() => void send()}
        />
      </Fields>
    </Modal>
  )
}

function GroupFields(props: {
  title: string
  problems: Problems
  setTitle: (next: string) => void
  text: string
  setText: (next: string) => void
  quantity: string | number
  setQuantity: (next: string | number) => void
}) {
  const { title, problems, setTitle, text, setText, quantity, setQuantity } = props
  return (
    <>
      <TextInput
        label={t('Nome')}
        required
        description={t('De vários grupos, cada um leva um número: Turma 1, Turma 2…')}
        data-autofocus
        maxLength={LONGEST_TITLE}
        value={title}
        error={problems['title']}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <Textarea
        label={t('Participantes')}
        required
        description={t('Ao menos um número, com DDD; um por linha.')}
        rows={3}
        value={text}
        error={problems['participants']}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <NumberInput
        label={t('Quantidade')}
        min={1}
        max={50}
        allowDecimal={false}
        value={quantity}
        error={problems['quantity']}
        onChange={setQuantity}
      />
    </>
  )
}
