import { beforeEach, expect, test, vi } from 'vitest'

// Test files share their modules, and toasts of others stay a while.
let toasts: typeof import('./notify.tsx')
let choices: typeof import('./save-choice.ts')
beforeEach(async () => {
  vi.resetModules()
  toasts = await import('./notify.tsx')
  choices = await import('./save-choice.ts')
})

/** Creates a switch that is off, with the server's value and an optional refusal. */
function aSwitch() {
  const state = { shown: false, saved: false, isRefused: false }
  const choose = () =>
    choices.saveChoice({
      label: 'Modo escuro',
      before: state.saved,
      next: !state.saved,
      labelOf: choices.onOff,
      show: (value) => {
        state.shown = value
      },
      save: async (value) => {
        if (state.isRefused) throw new Error('no')
        state.saved = value
      },
    })
  return { state, choose }
}
const last = () => toasts.shownToasts().at(-1)

test('a choice is shown before it is saved, and what was saved is said with a way back', async () => {
  const { state, choose } = aSwitch()
  const saving = choose()
  expect(state.shown).toBe(true)
  expect(last()).toBeUndefined()
  expect(await saving).toBe(true)
  expect(last()).toMatchObject({
    tone: 'pos',
    title: 'Modo escuro',
    text: 'Salvo: ligado',
    action: { label: 'Desfazer' },
  })
  last()?.action?.run()
  await vi.waitFor(() => expect(last()?.text).toBe('Desfeito: desligado'))
  expect(state).toMatchObject({ shown: false, saved: false })
  expect(last()?.action).toBeUndefined()
  expect(toasts.shownToasts()).toHaveLength(1)
})

test('a refusal turns the choice back and says why, also that of an undo', async () => {
  const { state, choose } = aSwitch()
  state.isRefused = true
  expect(await choose()).toBe(false)
  expect(state).toMatchObject({ shown: false, saved: false })
  expect(last()).toMatchObject({ tone: 'warn', title: '“Modo escuro” não foi salvo' })
  expect(last()?.text).not.toBe('')

  state.isRefused = false
  await choose()
  state.isRefused = true
  last()?.action?.run()
  await vi.waitFor(() => expect(last()?.tone).toBe('warn'))
  expect(state).toMatchObject({ shown: true, saved: true })
})
