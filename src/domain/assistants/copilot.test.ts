import { expect, test } from 'vitest'
import { COPILOT_USES, type CopilotTask, copilotQuestion, needsText } from './copilot.ts'

const task: CopilotTask = {
  ...{ use: 'suggest', text: 'Oi', style: 'friendly', language: 'inglês', facts: { Nome: 'Maria' } },
  talk: [
    { by: 'customer', text: 'Quanto custa?' },
    { by: 'company', text: 'R$ 10' },
  ],
}

test.each(COPILOT_USES)('%s has what it needs, and nothing that it does not', (use) => {
  const { system, text } = copilotQuestion({ ...task, use })
  expect(system).toContain('Nunca invente')
  expect(text).toContain('Oi')
  expect(text.includes('Cliente: Quanto custa?')).toBe(use !== 'rewrite' && use !== 'translate')
  expect(text.includes('Maria')).toBe(use !== 'rewrite' && use !== 'translate')
})

test('a long conversation is cut at its beginning, and an empty one is no empty question', () => {
  const talk = [
    { by: 'customer', text: 'x'.repeat(30_000) },
    { by: 'customer', text: 'por último' },
  ] as const
  expect(copilotQuestion({ ...task, talk }).text).toContain('por último')
  expect(copilotQuestion({ ...task, talk }).text.length).toBeLessThan(25_000)
  expect(copilotQuestion({ ...task, talk: [], facts: {}, text: '' }).text).toBe('…')
  expect([needsText('rewrite'), needsText('suggest')]).toEqual([true, false])
})
