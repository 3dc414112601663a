// As deep.c, in ways of Go, whose runtime tells the truth: without the runtime's own frames.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"sort"
	"strconv"
)

var telling bool
var way int

//go:noinline
func leaf(number int) int { return number + way }

//go:noinline
func last(n int) int {
	if telling {
		telling = false
		pcs := make([]uintptr, 256)
		count := runtime.Callers(2, pcs)
		fmt.Printf("shadow %d", way)
		for _, pc := range pcs[:count-1] {
			fmt.Printf(" %x", pc)
		}
		fmt.Println()
	}
	return leaf(way) + n
}

//go:noinline
func plain(n int) int {
	if n > 0 {
		return plain(n-1) + n
	}
	return last(n) + 1
}

//go:noinline
func large(n int) int {
	var room [5000]int
	room[n] = n
	if n > 0 {
		return large(n-1) + room[n]
	}
	return last(n) + 1
}

func routine(n int) int {
	done := make(chan int)
	go func() { done <- plain(n) }()
	return <-done
}

func deferred(n int) (sum int) {
	defer func() { sum = plain(n) }()
	return n
}

func recovered(n int) (sum int) {
	defer func() {
		recover()
		sum = plain(n)
	}()
	panic(n)
}

func sorted(n int) int {
	numbers := []int{2, 1}
	sort.Slice(numbers, func(i, j int) bool { return plain(n)*0+numbers[i] < numbers[j] })
	return numbers[0]
}

func main() {
	calls := 1
	if len(os.Args) > 1 {
		calls, _ = strconv.Atoi(os.Args[1])
	}
	fmt.Println("ready")
	bufio.NewReader(os.Stdin).ReadString('\n')
	ways := []struct {
		name string
		run  func(int) int
	}{{"plain", plain}, {"large", large}, {"routine", routine}, {"defer", deferred}, {"recover", recovered}, {"sort", sorted}}
	sum := 0
	for number, each := range ways {
		way = number
		for i := 0; i < calls; i++ {
			telling = i == 0
			sum += each.run(16)
		}
		fmt.Printf("way %d %s %d\n", number, each.name, calls)
	}
	_ = sum
}
