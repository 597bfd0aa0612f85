import { layout, type Job } from './layout'

let run = 0

// Each message is a job, which replaces the one before. The answers are places and whether they are the last.
onmessage = ({ data }: MessageEvent<Job | null>) => {
  const mine = ++run
  if (!data || data.weights.length === 0) return
  const step = layout(data)
  let left = data.rounds
  const tick = () => {
    if (mine !== run) return
    const began = performance.now()
    let places: Float32Array
    do {
      places = step(1)
      left--
    } while (left > 0 && performance.now() - began < 30)
    postMessage({ places, last: left <= 0 }, { transfer: [places.buffer] })
    if (left > 0) setTimeout(tick)
  }
  tick()
}
