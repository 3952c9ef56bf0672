import type { ComponentType } from 'react'
import { present } from '#domain/present.ts'
import { assistantConfigs } from '#providers/assistants/configs.ts'
import { AssistantScreen } from './AssistantScreen.tsx'

/** Creates the page of an assistant provider from its config. */
export async function assistantScreen(id: string): Promise<ComponentType> {
  const config = present(assistantConfigs.find((one) => one.id === id))
  return () => <AssistantScreen config={config} />
}
