/** Measures how busy a priority level is, over time. */
import { ShareOverTime } from './share-over-time.js'

const ofRequests = [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1]
const ofSeats = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1]
const ofDemand = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6]

export class LevelStats {
  readonly waiting: ShareOverTime
  readonly executing: ShareOverTime
  readonly seats: ShareOverTime
  readonly demand: ShareOverTime

  constructor(now: number) {
    this.waiting = new ShareOverTime(ofRequests, now)
    this.executing = new ShareOverTime(ofRequests, now)
    this.seats = new ShareOverTime(ofSeats, now)
    this.demand = new ShareOverTime(ofDemand, now)
  }
}
