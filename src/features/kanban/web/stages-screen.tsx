import { useState } from 'react'
import type { Resource } from '#kit/resource.ts'
import { isApiError } from '#web/api.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { ResourceScreen } from '#web/resource/ResourceScreen.tsx'
import { plural, t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { board } from '../board-addresses.ts'
import { StageDialog } from './StageDialog.tsx'

type Leaving = { id: number; name: string }

/** Creates the page of stages from their resource; the removal of a stage asks where its contacts go. */
export const stagesScreen = (resource: Resource) => () => <Stages resource={resource} />

function Stages({ resource }: { resource: Resource }) {
  const [leaving, setLeaving] = useState<Leaving | null>(null)
  return (
    <>
      <ResourceScreen
        resource={resource}
        onRefused={({ id, name }, error) => {
          const isUsed = isApiError(error) && error.code === 'ERR_KANBAN_CONTACTS_EXISTS'
          if (isUsed) setLeaving({ id, name: String(name) })
          return isUsed
        }}
      />
      {leaving && <MoveContacts {...leaving} onClose={() => setLeaving(null)} />}
    </>
  )
}

function MoveContacts({ id, name, onClose }: Leaving & { onClose: () => void }) {
  const others = useChoices('stages').filter((one) => one.id !== id)
  const move = async (kanban: number | null) => {
    const { moved } = await call(board.replaceStage, { params: { id }, body: { kanban } }, { quiet: true, long: true })
    const title = t('Etapa “{name}” excluída', { name })
    notify({ tone: 'pos', title, text: plural(moved, t('contato mudou de etapa.'), t('contatos mudaram de etapa.')) })
  }
  return (
    <StageDialog
      title={t('Para onde vão os contatos de “{name}”?', { name })}
      hint={t(
        'Eles vão para o fim da etapa escolhida, na mesma ordem, junto com seus atendimentos em andamento. Depois “{name}” é excluída.',
        { name },
      )}
      action={t('Mover e excluir')}
      isFinal
      stages={others}
      onPick={move}
      onClose={onClose}
    />
  )
}
