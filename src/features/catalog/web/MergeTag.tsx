import { Modal, Select } from '@mantine/core'
import { useState } from 'react'
import { sentence } from '#web/api.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { plural, t } from '#web/t.ts'
import { DialogEnd } from '#web/ui/feedback/DialogEnd.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Fields } from '#web/ui/inputs/fields.tsx'
import { tagUses } from '../uses-addresses.ts'

/** Dialog that merges a tag into another, with the affected counts. */
export function MergeTag(props: {
  id: number
  name: string
  uses: { contacts: number; tickets: number } | undefined
  onClose: () => void
}) {
  const { id, name, uses, onClose } = props
  const tags = useChoices('tags').filter((tag) => tag.id !== id)
  const [into, setInto] = useState<number | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const merge = async () => {
    if (into === null) return setProblem(t('Escolha a etiqueta que fica.'))
    setBusy(true)
    try {
      await call(tagUses.merge, { params: { id }, body: { into } }, { quiet: true, long: true })
      notify({ tone: 'pos', title: t('“{name}” juntada', { name }) })
      onClose()
    } catch (error) {
      setProblem(sentence(error))
      setBusy(false)
    }
  }
  const moved = t('{contacts} e {tickets} passam para ela', {
    contacts: plural(uses?.contacts ?? 0, t('contato'), t('contatos')),
    tickets: plural(uses?.tickets ?? 0, t('atendimento'), t('atendimentos')),
  })
  return (
    <Modal opened onClose={onClose} size={480} title={t('Juntar “{name}” em outra', { name })}>
      <Fields>
        <Select
          label={t('Etiqueta que fica')}
          description={t(
            '{moved}, e também listas salvas, macros, automações e chatbots. “{name}” deixa de existir; isto não pode ser desfeito.',
            { moved, name },
          )}
          placeholder={t('Escolha')}
          searchable
          allowDeselect={false}
          nothingFoundMessage={t('Nenhuma com esse nome')}
          data={tags.map((tag) => ({ value: String(tag.id), label: tag.name }))}
          value={into === null ? null : String(into)}
          error={problem}
          onChange={(next) => {
            setProblem(null)
            setInto(next === null ? null : Number(next))
          }}
        />
        <DialogEnd
          action={t('Juntar etiquetas')}
          doing={t('Juntando')}
          busy={busy}
          onClose={onClose}
          onRun={() => void merge()}
        />
      </Fields>
    </Modal>
  )
}
