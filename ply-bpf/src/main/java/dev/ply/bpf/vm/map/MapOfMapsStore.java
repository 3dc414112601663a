package dev.ply.bpf.vm.map;

import dev.ply.bpf.object.BpfMap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** An array of maps, by their addresses. */
public final class MapOfMapsStore implements Store {
  private final BpfMap map;
  private final long[] addresses;

  MapOfMapsStore(BpfMap map) {
    this.map = map;
    this.addresses = new long[map.maxEntries()];
  }

  @Override
  public BpfMap map() {
    return map;
  }

  /** Returns the address of a map, or 0. */
  public long find(byte[] key) {
    int index = ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN).getInt();
    return Integer.compareUnsigned(index, addresses.length) < 0 ? addresses[index] : 0;
  }

  void put(int index, long address) {
    addresses[index] = address;
  }
}
