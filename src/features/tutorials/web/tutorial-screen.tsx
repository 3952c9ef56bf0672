import type { Resource } from '#kit/resource.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { ResourceScreen, type Row } from '#web/resource/ResourceScreen.tsx'
import { t } from '#web/t.ts'
import { CopyIcon, OpenLinkIcon } from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'
import { tutorialExtras } from '../addresses.ts'
import { TutorialForm } from './TutorialForm.tsx'

const commands = (row: Row): Command[] => [
  {
    id: 'open',
    label: t('Abrir o link'),
    icon: OpenLinkIcon,
    run: () => void window.open(String(row['link']), '_blank', 'noopener,noreferrer'),
  },
  {
    id: 'copy',
    label: t('Duplicar'),
    icon: CopyIcon,
    run: () =>
      void attempt(
        () => call(tutorialExtras.duplicate, { params: { id: row.id } }, { quiet: true }),
        t('Tutorial copiado, desativado'),
      ),
  },
]

/** Creates the page of tutorials for their editors. */
export const tutorialScreen = (resource: Resource) => () => (
  <ResourceScreen resource={resource} Form={TutorialForm} commands={commands} />
)
