// A founded place whose program reads both platforms from a simulation in the test's own process.

import type { EngineName } from '#src/db/database.ts'
import {
  startSimulation,
  type Simulation,
  type SimulationOptions,
} from '#src/simulate/simulation.ts'
import { foundedPlace, type FoundedPlace } from './founded-place.ts'
import { FORUM_CREDENTIALS, platformsAt } from './simulated-platforms.ts'

export interface WatchingPlace extends FoundedPlace {
  simulation: Simulation
}

export async function watchingPlace(
  engine: EngineName,
  options: SimulationOptions = {},
): Promise<WatchingPlace> {
  const place = await foundedPlace(engine)
  const simulation = await startSimulation(options)
  return {
    ...place,
    simulation,
    variables: { ...place.variables, ...platformsAt(simulation.url), ...FORUM_CREDENTIALS },
    async [Symbol.asyncDispose]() {
      await simulation[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}
