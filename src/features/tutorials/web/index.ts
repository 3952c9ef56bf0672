import type { WebFeature } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'

/** Web part of the feature `tutorials`: tutorials of the company. */
export const tutorialsWeb: WebFeature = {
  tutorials: async () => (await import('./TutorialsDialog.tsx')).TutorialsDialog,
  screens: [
    {
      path: '/configuracoes/tutoriais',
      title: t('Tutoriais'),
      icon: 'TutorialIcon',
      can: 'tutorials:write',
      menu: { place: 'settings', group: 'Empresa' },
      load: async () => {
        const [{ tutorialScreen }, table] = await Promise.all([
          import('./tutorial-screen.tsx'),
          import('../contract.ts'),
        ])
        // Its rows have a picture beside their fields.
        return tutorialScreen(table.tutorials)
      },
    },
  ],
}
