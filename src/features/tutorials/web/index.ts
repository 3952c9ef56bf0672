import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { TutorialIcon } from '#web/ui/icons.ts'

/** The tutorials of the company. */
export const tutorialsWeb: WebFeature = {
  tutorials: async () => (await import('./TutorialsDialog.tsx')).TutorialsDialog,
  screens: [
    {
      path: '/configuracoes/tutoriais',
      title: t('Tutoriais'),
      icon: TutorialIcon,
      can: 'tutorials:write',
      menu: { group: 'Configuração e API' },
      load: async () => (await import('./Tutorials.tsx')).Tutorials,
    },
  ],
}
